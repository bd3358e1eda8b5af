// Names below /dev/disk/by-id of whole disks. A partition is a part of a disk that may be the appliance's own; what dm, LVM and
// md build may stand on it. 60-persistent-storage.rules of udev names partitions `<disk>-part<n>`.
export const BY_ID = '/dev/disk/by-id/';

/** Pure: whether the name itself says that it is no whole disk. What it stands for is seen where the disk is (disks.ts). */
export const isWholeDisk = (device: string): boolean =>
  !/^\/dev\/disk\/by-id\/(?:(?:dm|lvm|md)-|.*-part\d+$)/.test(device);
