// What the service may do to a host, and nothing else: the three drivers implement this, tests wrap it to inject
// faults.

/** A configuration file as it should be on the appliance. */
export interface RenderedFile {
  /** Absolute path on the appliance, below one of the roots that the drivers allow. */
  path: string;
  content: string;
  /** Octal permission bits, for example 0o644. */
  mode: number;
  /** A private key, which the driver alone opens: `content` only says which one (shared/platform/host/key-files.ts). */
  sealed?: SealedKey;
}

/** A private key as its row has it, with the place that it is bound to (shared/ground/sealing/envelope.ts). */
export interface SealedKey {
  place: { table: string; row: string; field: string };
  kek_id: string;
  sealed_key: string;
  sealed_value: string;
}

/** The way back of private keys: they are kept where they lie, as they lie there, and never read. */
export interface KeptKeys {
  /** Keeps the key in force at the path, if there is one. */
  keep(path: string): Promise<void>;
  /** Puts the kept key in force again; `content` says which one it was. @throws Error when another one or none was kept */
  putBack(path: string, content: string): Promise<void>;
  /** Removes what was kept. */
  forget(path: string): Promise<void>;
}

export interface ExecResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface ExecOptions {
  input?: string;
  /** Milliseconds until the program is killed and the call answers code 124; default 10,000. */
  timeout?: number;
  /** Bytes stored of each of stdout and stderr; default 262,144. */
  output?: number;
  /** Called with what the program writes to stdout, as it comes. */
  heard?(text: string): void;
}

/** A link as the kernel reports it (`ip -j -d addr`, sysfs for speed and driver). */
export interface ObservedLink {
  name: string;
  /** Lower case, colon separated; `permaddr` where the kernel knows it. */
  mac_address: string;
  driver: string | null;
  speed_mbps: number | null;
  mtu: number;
  /** `up` when the carrier is there and the link is administratively up. */
  link: 'up' | 'down';
  /** Canonical address/prefix, link-local addresses left out. */
  ipv4_cidrs: string[];
  ipv6_cidrs: string[];
  /** Next hop of its IPv4 default route; left out where it has none. */
  ipv4_gateway?: string;
  /** Set for an 802.1Q link. */
  vlan: { parent: string; id: number } | null;
}

export interface FileStamp {
  /** Another text with each change, but for two within the same moment of the file system's clock. */
  text: string;
  /** Milliseconds since 1970. */
  changed_at: number;
}

export type HostKind = 'rehearsal' | 'namespace' | 'system';

/** A daemon that a unit owns. */
export interface DaemonSpec {
  name: string;
  program: string;
  args: string[];
  /** systemd unit that runs it on the appliance. */
  systemd: string;
  /** Appliance path of its pid file; the program writes it. */
  pidFile: string;
  /** Run inside a namespace in place of the program, when that neither goes to the background nor writes a pid file. */
  launcher?: { program: string; args: string[] };
}

export interface Host {
  kind: HostKind;
  /** As the configuration names it: `rehearsal`, `namespace:gc-ap`, `system`. */
  name: string;
  /** `Rehearsal`, `Namespace gc-ap`, `System`. */
  label: string;
  /** False: files are written aside and checked, no daemon runs and nothing on the machine changes. */
  enforces: boolean;
  /** The path that this driver uses for an appliance path. */
  resolve(path: string): string;
  /** Content in force at an appliance path, or null. Of a private key: which one it is, never the key. */
  read(path: string): Promise<string | null>;
  /** What tells a change of the file at an appliance path without reading it; null: there is none. Left out where every look has to read. */
  stamp?(path: string): Promise<FileStamp | null>;
  /** Atomic: temp file, fsync, rename, fsync of the folder. */
  write(file: RenderedFile): Promise<void>;
  remove(path: string): Promise<void>;
  /**
   * Writes back what this program read at the path before, even if the file was edited by hand or comes from an earlier
   * release. Left out where `write` is enough.
   */
  putBack?(file: RenderedFile): Promise<void>;
  /** Left out where the driver does not change the host. */
  keys?: KeptKeys;
  /**
   * Runs a program where the driver enforces (inside the namespace, on the system). Never throws for a non-zero code.
   */
  exec(program: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
  links(): Promise<ObservedLink[]>;
  daemonRunning(daemon: DaemonSpec): Promise<boolean>;
  startDaemon(daemon: DaemonSpec): Promise<void>;
  stopDaemon(daemon: DaemonSpec): Promise<void>;
  /** SIGHUP to the daemon. */
  reloadDaemon(daemon: DaemonSpec): Promise<void>;
}
