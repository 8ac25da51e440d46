-- Questions of one skill, one after the other, as a lesson: for a quiz, a test, or an author who wants to see them.
drill(drill_wish())
