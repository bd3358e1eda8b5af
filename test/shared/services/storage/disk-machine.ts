// udev’s and the kernel’s files of made-up disks, laid out in a folder.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Seen } from '../../../../shared/services/storage/disks.ts';

export interface MadeDisk {
  name: string;
  number: string;
  ids?: readonly string[];
  sectors?: number;
  /** Of udev’s record: `ID_MODEL=…`. */
  properties?: readonly string[];
  read_only?: boolean;
  parts?: readonly { name: string; number: string; properties?: readonly string[] }[];
  holders?: readonly string[];
}

export class DiskMachine {
  readonly folder = mkdtempSync(join(tmpdir(), 'groundcrew-machine-'));
  readonly seen: Seen = {
    udev: join(this.folder, 'udev'),
    sys: join(this.folder, 'sys'),
    mounts: join(this.folder, 'mountinfo'),
    swaps: join(this.folder, 'swaps'),
  };

  put(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  disk({
    name,
    number,
    ids = [],
    sectors = 8_388_608,
    properties = [],
    read_only,
    parts = [],
    holders = [],
  }: MadeDisk) {
    this.#block(`sys/devices/${name}`, name, number, { ids, properties, sectors });
    this.put(`sys/devices/${name}/device/type`, '0\n');
    if (read_only) this.put(`sys/devices/${name}/ro`, '1\n');
    for (const holder of holders) this.put(`sys/devices/${name}/holders/${holder}/x`, '');
    for (const part of parts) {
      const at = `sys/devices/${name}/${part.name}`;
      this.#block(at, part.name, part.number, {
        ids: ids.map((id) => `${id}-part1`),
        properties: part.properties ?? [],
        sectors: 2_048,
      });
      this.put(`${at}/partition`, '1\n');
    }
    return this;
  }

  mount(rows: readonly [number: string, at: string, source: string][]): this {
    const lines = rows.map(([number, at, source], row) => `${row + 20} 1 ${number} / ${at} rw - xfs ${source} rw`);
    this.put('mountinfo', `${lines.join('\n')}\n`);
    return this;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #block(
    at: string,
    name: string,
    number: string,
    { ids, properties, sectors }: { ids: readonly string[]; properties: readonly string[]; sectors: number },
  ): void {
    this.put(`${at}/dev`, `${number}\n`);
    this.put(`${at}/size`, `${sectors}\n`);
    this.put(`${at}/uevent`, `DEVNAME=${name}\n`);
    const lines = [...ids.map((id) => `S:disk/by-id/${id}`), ...properties.map((each) => `E:${each}`)];
    this.put(`udev/b${number}`, `${lines.join('\n')}\n`);
    for (const link of [`sys/class/block/${name}`, `sys/dev/block/${number}`]) {
      mkdirSync(dirname(join(this.folder, link)), { recursive: true });
      symlinkSync(join(this.folder, at), join(this.folder, link));
    }
  }
}
