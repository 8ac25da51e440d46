-- A demo as a lesson without a student: its beats, one after the other.
use "demo".walk()
