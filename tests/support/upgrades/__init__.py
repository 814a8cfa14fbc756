"""Files that earlier versions of certo wrote, and what keeps those of this one."""
