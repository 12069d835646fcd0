"""Where does text come from: files, folders, archives?"""
