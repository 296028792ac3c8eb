"""Controls over a drawing function: live with a kernel; on a page, a flip-book or a program."""
