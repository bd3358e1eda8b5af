// Everything an operation may use besides its input. The runtime makes one of these and hands it to each handler in the
// invocation context; a handler deployed alone makes its own from the environment on its first call.
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Clock, Entropy } from '../../ground/clock.ts';
import type { Host } from '../../ground/machine/host.ts';
import type { Uptime } from '../../ground/machine/uptime.ts';
import type { Problem, ProblemMembers } from '../../ground/problems.ts';
import type { Keyring } from '../../ground/sealing/keyring.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import type { Store } from '../../ground/store/store.ts';
import type { Elsewhere } from '../access/credentials.ts';
import type { LastUse } from '../access/last-use.ts';
import type { Constant } from './constant.ts';
import type { LogTail } from './log-tail.ts';
import type { ProblemDocument } from './problem-document.ts';
import type { Traffic } from './traffic.ts';

/** The certificate that the management listener shows. */
export interface ManagementShown {
  /** PEM, with what signed it. */
  certificate: string;
  /** Whether it is the applied one; otherwise it is the one that the service was started with. */
  applied: boolean;
  /** Why the applied one is not shown, in a sentence; null: nothing is wrong. */
  fault: string | null;
}

export interface Settings {
  /** Absolute path of the data folder. */
  data: string;
  /** Origin used in problem types and in the Origin check, without a trailing slash; empty: taken from the request. */
  base_url: string;
  hostname: string;
  version: string;
  /** TCP port of the management listener as configured; 0: the system chooses one. */
  management_port: number;
  /** Whether the management listener speaks TLS: then services may share its port, each by its name. */
  management_tls?: boolean;
  /** Names that the management UI goes by, beside addresses: those of the machine, the origin and its certificate; lower case. */
  management_names?: readonly string[];
  /** PEM of the certificate that the service was started with; null without TLS. */
  management_certificate?: string | null;
  /** What its listeners show now: kept up to date by the runtime; none in an operation that runs alone. */
  management_shown?: ManagementShown;
  /** Where the public pages answer; null while they do not. */
  public_listen: { host: string; port: number } | null;
  /** Where the offline depot answers instead of its applied listeners: rehearsals and tests. */
  depot_listen?: { host: string; port: number } | null;
  /** Logical asset name → path below /assets: `app.css` → `app-3f2a….css`. */
  assets: Record<string, string>;
  /** The OpenAPI document as JSON. The runtime, which knows all operations, makes it; an operation alone has none. */
  openapi?: () => Promise<Constant>;
}

export interface Services extends Elsewhere {
  settings: Settings;
  store: Store;
  keys: Keys;
  /** Keys that the values of vaults are sealed under. */
  keyring: Keyring;
  clock: Clock;
  entropy: Entropy;
  host: Host;
  logger: Logger;
  /** Its last lines, where no journal keeps them. */
  log_tail?: LogTail;
  lastUse: LastUse;
  /** The refusal of what a job owns that waits for a person, who can end it; null for a job that works. */
  waits(owner: NonNullable<ProblemMembers['owner']>): Promise<Problem | null>;
  /**
   * Tells open pages (`jobs`, `pending`) and the job runner (`jobs`, `queue`) that something changed; never carries
   * data. `queue` only looks for work: pages must not refresh because a clock ticked.
   */
  notify(topic: 'jobs' | 'pending' | 'queue'): void;
  /** Counts answers for whoever asks for metrics; none in an operation that runs alone. */
  traffic?: Traffic;
  /** Tests only: an uptime clock in place of the machine's. */
  uptime?: Uptime;
  /** Tests only: seconds that a boot attempt lives, and again from its authorization. */
  boot_lifetime?: number;
  /** Tests only: called at each named step of an apply; may throw, wait, or end the process. */
  checkpoint?: (step: string) => void | Promise<void>;
  /** Tests only: sees each successful answer before it leaves. */
  inspectAnswer?: (operation_id: string, status: number, body: unknown) => void;
}

/** The result of a posted form whose page is shown again instead of a redirect. */
export interface FormOutcome {
  /** Id of the form's operation. */
  operation_id: string;
  /** What was typed, without secret fields. */
  values: URLSearchParams;
  /** Secret fields that something was typed into: it has to be typed again. */
  lost?: readonly string[];
  problem: ProblemDocument | null;
  /** What the operation answered, for a dry run or a secret that is shown once. */
  result: unknown;
  dry_run: boolean;
}

export interface InvocationContext {
  services: Services;
  outcome?: FormOutcome;
}
