// The test suites: which files belong to which, and what they need from the machine. Order is that of a full run.

import { matchesGlob } from 'node:path';
import { addonDriver } from '../shared/ground/store/driver-addon.ts';
import type { Need } from './machine.ts';

export interface Suite {
  name: string;
  /** What the suite proves, for people who read the run. */
  proves: string;
  /** Globs of paths; a test holds that each of them names a file. */
  files: readonly string[];
  needs: readonly Need[];
  /** True: drives dist/, so the bundle is built first. */
  bundled: boolean;
  /**
   * Runs in one go with the suite before it: what waits for emulated machines most of the time takes hardly longer beside
   * others than alone.
   */
  besideFormer?: true;
  /** Runs files of other suites once more, with these variables set. */
  again?: { files: readonly string[]; environment: Readonly<Record<string, string>> };
}

/** What the benchmarks need together. */
export const BENCH_NEEDS: readonly Need[] = [
  'wrk',
  'curl',
  'nginx',
  'fastapi',
  'openssl',
  'procps',
  'ip',
  'dnsmasq',
  'chronyd',
  'nft',
  'slapd',
  'sshd',
  'ganesha',
  'namespaces',
];

/** A file belongs to the last suite that matches it, so `unit` takes what no other claims. */
export const SUITES: readonly Suite[] = [
  {
    name: 'unit',
    proves: 'each module by itself',
    files: ['test/**'],
    needs: [],
    bundled: false,
  },
  {
    // Apart from `unit`, which is part of the quick check: whatever opens a whole service, or starts processes and listeners.
    name: 'service',
    proves: 'each operation and page with a whole service, and its listeners and processes',
    files: [
      'test/runtime/**',
      'test/shared/ground/age/stock-program.test.ts',
      'test/shared/ground/store/**',
      'test/shared/kernel/{audit,jobs}/**',
      'test/shared/vcf/names/generate.test.ts',
      'test/shared/appliance/{continued-jobs,metrics/sampled}.test.ts',
      'test/shared/appliance/apply/{make-plan,private-keys}.test.ts',
      'test/shared/appliance/archive/**',
      'test/shared/appliance/states/**',
      'test/build/{loaded,programs}.test.ts',
      'test/handlers/**',
      'test/pages/{help,links,names,operations,overview,public-root,public-services,two-writers,units}.test.ts',
      'test/pages/apply.test.tsx',
      'test/pages/units/readiness.test.ts',
      'test/shared/kernel/access/{account-takeover,known-addresses,refused-at-once,external/people}.test.ts',
      'test/shared/platform/units/collection.test.ts',
      'test/shared/services/dns-dhcp/owned-component.test.ts',
      'test/shared/vcf/deployment/{name-records,propose}.test.ts',
    ],
    needs: ['openssl', 'age', 'sshd'],
    bundled: false,
  },
  {
    name: 'contract',
    proves: 'the published API, authorization, audit and problems of every operation',
    files: [
      'test/contract/**',
      'test/shared/platform/units/settings.test.ts',
      'test/shared/platform/vaults/use.test.ts',
      'test/handlers/{access,audit,jobs}/pages.test.ts',
      'test/handlers/apply/{former-release,plans,restore-plan,run}.test.ts',
      'test/shared/appliance/apply/reworded.test.ts',
      'test/handlers/{certificate-authority,management-tls}/**',
      'test/shared/services/management-tls/**',
      'test/handlers/network-boot/transport.test.ts',
      'test/handlers/offline-depot/**',
      'test/handlers/public/**',
      'test/handlers/{health,service}/**',
      'test/handlers/vaults/pages.test.ts',
    ],
    needs: ['openssl', 'promtool'],
    bundled: false,
  },
  {
    name: 'remote',
    proves: 'trust in other machines, against servers of our own that speak real TLS and misbehave',
    files: [
      'test/fakes/**',
      'test/shared/ground/ova/**',
      'test/shared/kernel/jobs/transient.test.ts',
      'test/shared/platform/certificate-authority/**',
      'test/shared/vcf/{alerts,connection,vcf-api,vsphere}/**',
      'test/handlers/{alerts,automation-ldap,datastore-mount,deployment,key-provider,oidc,remote,remote-depot}/**',
    ],
    needs: ['openssl', 'certtool', 'rsyslog', 'aiosmtpd'],
    bundled: false,
  },
  {
    name: 'faults',
    proves: 'that every failing call leaves a consistent state',
    files: ['test/faults/**', 'test/shared/kernel/jobs/lanes.test.ts'],
    needs: ['openssl', 'ip', 'namespaces', 'networkd', 'dnsmasq', 'nft', 'dig', 'kmod', 'sshd'],
    bundled: false,
  },
  {
    name: 'drivers',
    proves:
      'that the store keeps its word on the sqlite3 addon, where it is, as on node:sqlite, which all others run on',
    files: [],
    needs: ['openssl'],
    bundled: false,
    again: {
      files: [
        'test/runtime/begin.test.ts',
        'test/shared/ground/store/**',
        'test/faults/{dependents,full-disk,put-back-kill}.test.ts',
        'test/handlers/interfaces/dependents.test.ts',
      ],
      environment: { GROUNDCREW_SQLITE: addonDriver() ? 'sqlite3' : 'node:sqlite' },
    },
  },
  {
    name: 'system',
    proves: 'real daemons in a network namespace',
    files: ['test/system/**', 'test/**/{daemon,*-daemon}.test.ts', 'test/shared/platform/host/namespace.test.ts'],
    needs: [
      'ip',
      'namespaces',
      'networkd',
      'dnsmasq',
      'chronyd',
      'ipxe',
      'slapd',
      'sshd',
      'ganesha',
      'libnfs',
      'nft',
      'dig',
      'busybox',
      'dhclient',
      'chromium',
      'ping',
      'procps',
      'kmod',
      'openssl',
      'curl',
      'apache',
      'pykmip',
      'certtool',
      'certutil',
      'mke2fs',
      'xfs',
      'recording',
    ],
    bundled: true,
  },
  {
    // In one suite because both wait for emulated machines most of the time: side by side they take as long as one.
    name: 'machines',
    proves:
      'whole machines in software emulation: booted over the network up to their Kickstart, with BIOS and UEFI, and the appliance, installed on Debian and driven over its network',
    files: ['test/appliance/**', 'test/system/network-boot.test.ts'],
    needs: [
      'openssl',
      'ip',
      'namespaces',
      'dnsmasq',
      'nft',
      'dig',
      'curl',
      'busybox',
      'cpio',
      'mke2fs',
      'xfs',
      'libnfs',
      'mmdebstrap',
      'systemctl',
      'qemu',
      'recording',
      'ipxe',
      'ovmf',
      'installer',
      'slapd',
    ],
    bundled: true,
    besideFormer: true,
  },
  {
    name: 'deployment',
    proves: 'an OVA to vCenter and ESXi, as govmomi simulates them, and the depot beside nginx',
    files: ['test/deployment/**', 'test/faults/deploy-*.test.ts'],
    needs: ['openssl', 'govmomi', 'nginx', 'chromium', 'procps'],
    bundled: true,
  },
  {
    name: 'browser',
    proves: 'the pages in a real browser',
    files: ['test/browser/**'],
    needs: ['chromium', 'chromium-shell', 'openssl', 'curl'],
    bundled: true,
  },
  {
    name: 'fuzz',
    proves: 'that no generated input breaks a rule',
    files: ['test/fuzz/**', 'test/shared/ground/{age/age,tar/tar,xml/parse}.test.ts'],
    needs: ['openssl', 'ip', 'namespaces', 'networkd', 'dnsmasq', 'chronyd', 'nft', 'kmod'],
    bundled: false,
  },
];

/** The suite of a test file (`test/….test.ts`), by its path. */
export function suiteOf(path: string): Suite | undefined {
  return SUITES.findLast(({ files }) => named(files, path));
}

/** Whether one of the globs names the path. */
export function named(files: readonly string[], path: string): boolean {
  return files.some((glob) => matchesGlob(path, glob));
}
