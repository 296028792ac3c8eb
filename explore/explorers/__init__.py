"""Controls for a drawing function. With a kernel it draws live; on a page it becomes a flip-book or a program."""
