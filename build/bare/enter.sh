#!/bin/sh
# Makes the folder "$1" the root of this process, with /proc, /sys and /dev as a container has them, and goes on there.
# In namespaces of its own (run.sh): nothing here is seen from outside, or left behind.
set -eu
[ "$$" -eq 1 ] || {
  echo 'run.sh starts this in namespaces of its own; elsewhere it would take away the root of this machine'
  exit 2
}
root=$1
shift

mount --make-rprivate /
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t tmpfs -o mode=755 tmpfs dev
mount -t tmpfs -o mode=755 tmpfs run
mkdir dev/pts dev/shm dev/net
for device in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0 net/tun:10:200; do
  IFS=: read -r name major minor << END
$device
END
  mknod -m 666 "dev/$name" c "$major" "$minor"
done
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${stream%:*}" "dev/${stream#*:}"; done

mkdir -p outside
pivot_root . outside
umount -l outside
rmdir outside
exec /bin/sh /srv/inside.sh "$@"
