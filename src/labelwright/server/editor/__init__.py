"""Study files in the making: a new study, its editor, its rehearsal, and how it becomes a version."""
