// Programs that every Debian 12 has, by the package that brings them: `Essential: yes`, or of priority `required`.
export const EVERY_DEBIAN: Readonly<Record<string, readonly string[]>> = {
  apt: ['apt-config', 'apt-get'],
  bash: ['bash'],
  bsdutils: ['script'],
  coreutils:
    `cat chgrp chmod chown chroot comm cp date dd df dirname env head id install ln ls mkdir mkfifo mknod mktemp mv
    printenv readlink rm rmdir seq sleep sort stat stdbuf sync tail tee test tr true truncate uname wc`.split(/\s+/),
  dash: ['sh'],
  diffutils: ['cmp'],
  dpkg: ['dpkg-query'],
  findutils: ['find'],
  grep: ['grep'],
  gzip: ['gzip'],
  hostname: ['hostname'],
  'libc-bin': ['ldd'],
  mawk: ['awk'],
  mount: ['losetup', 'mount', 'umount'],
  sed: ['sed'],
  tar: ['tar'],
  'util-linux': ['blkid', 'findmnt', 'lsblk', 'pivot_root', 'setpriv', 'setsid', 'taskset', 'unshare', 'wipefs'],
};
