// test_digest.c: HMAC and PBKDF2 against published vectors; test_sha256.c has those of the hash.
#include "base/digest.h"

#include "base/mem.h"
#include "check.h"

static const char *hex_of(const LsDigest *digest) {
  static char hex[LS_DIGEST_HEX];
  ls_digest_hex(digest, hex);
  return hex;
}

static void check_digest(LsDigest digest, const char *expected) { CHECK_STR(hex_of(&digest), expected); }

// RFC 4231, section 4: test cases 1, 2, 3, 4, 6, 7.
static void hmac_of_rfc_4231(void) {
  char key[131], data[50];
  memset(key, 0x0b, 20);
  check_digest(ls_hmac(key, 20, "Hi There", 8), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  const char *question = "what do ya want for nothing?";
  check_digest(ls_hmac("Jefe", 4, question, strlen(question)),
               "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  memset(key, 0xaa, sizeof key);
  memset(data, 0xdd, sizeof data);
  check_digest(ls_hmac(key, 20, data, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  char counted[25];
  for (int i = 0; i < LS_COUNT(counted); i++) counted[i] = (char)(i + 1);
  memset(data, 0xcd, sizeof data);
  check_digest(ls_hmac(counted, 25, data, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
  const char *large = "Test Using Larger Than Block-Size Key - Hash Key First";
  check_digest(ls_hmac(key, 131, large, strlen(large)),
               "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  const char *both = "This is a test using a larger than block-size key and a larger than block-size data. The key needs "
                     "to be hashed before being used by the HMAC algorithm.";
  check_digest(ls_hmac(key, 131, both, strlen(both)),
               "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

// RFC 7914, section 11: the first 32 of 64 bytes.
static void pbkdf2_of_rfc_7914(void) {
  check_digest(ls_pbkdf2("passwd", "salt", 4, 1), "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc");
  check_digest(ls_pbkdf2("Password", "NaCl", 4, 80000),
               "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56");
}

static void digests_as_text(void) {
  LsDigest digest = ls_sha256("abc", 3), read;
  char hex[LS_DIGEST_HEX];
  ls_digest_hex(&digest, hex);
  CHECK(ls_digest_read(hex, &read) && ls_digest_same(&digest, &read));
  read.bytes[31] ^= 1;
  CHECK(!ls_digest_same(&digest, &read));
  CHECK(!ls_digest_read("", &read) && !ls_digest_read("12", &read));
  hex[63] = 'g';
  CHECK(!ls_digest_read(hex, &read));
  hex[63] = 0;
  CHECK(!ls_digest_read(hex, &read));
  LsErr err = {0};
  uint8_t one[16] = {0}, other[16] = {0};
  CHECK(ls_random_bytes(one, sizeof one, &err) && ls_random_bytes(other, sizeof other, &err));
  CHECK(memcmp(one, other, sizeof one) != 0);
}

static const Check checks[] = {
    {"hmac of rfc 4231", hmac_of_rfc_4231},
    {"pbkdf2 of rfc 7914", pbkdf2_of_rfc_7914},
    {"digests as text", digests_as_text},
};

int main(int argc, char **argv) { return check_main("digest", checks, LS_COUNT(checks), argc, argv); }
