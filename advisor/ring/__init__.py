"""How is a recording kept in files of bounded size? A ring: the oldest files are removed when new ones need the room.

`blocks` frames what is written, with a checksum · `folder` lists the files · `writer` appends within the bounds, also
on a full disk · `seconds` what one second of a member is · `codec` writes only what changed · `reading` reads a time.
"""
