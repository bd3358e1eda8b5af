// The interface of a unit: everything that a reviewed apply can enforce has these functions. Plan, run and drift check
// know units only through this file.

import type { Host, HostKind, RenderedFile } from '../../ground/machine/host.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { CanonicalUpdate } from '../interfaces/canonical.ts';
import type { Snapshot } from '../interfaces/refresh/snapshot.ts';
import type { UnitId } from '../unit-names.ts';
import type { Data, Difference, Facts, Words } from './facts.ts';
import type { Listener } from './manifest.ts';
import type { RowsFound } from './row-adoption.ts';

export type Risk = 'low' | 'medium' | 'high';

export const RISKS: readonly Risk[] = ['low', 'medium', 'high'];

/** What a change of a unit means, in words, before it is made. */
export interface Impact {
  /** One sentence per change worth a sentence; at most a dozen. */
  says: string[];
  risk: Risk;
  /** Expected interruption: what stops answering and for how long, or `none`. */
  interruption: string;
}

export interface CheckResult {
  ok: boolean;
  /** The program that validated, as an operator would type it: `dnsmasq --test`. */
  program: string;
  /** Its faults when it refused: one line each, without secrets. */
  faults: string[];
  duration_ms: number;
}

export interface ProbeResult {
  ok: boolean;
  /** The question asked and the answer got, in one sentence. */
  said: string;
}

/** The difference between what is in force and what will be, for `impact` and `activate`. */
export interface UnitChange {
  /** Null when the unit was never applied. */
  before: Facts | null;
  after: Facts;
  /** Paths (as on the appliance) of files whose content differs or which are new. */
  written: string[];
  /** Paths of files which are in force now and will be gone. */
  removed: string[];
}

/** An enabled IPv4 scope of DHCP, as far as it decides where its machines boot from. */
export interface BootScope {
  id: string;
  name: string;
  interface: string;
  /** As saved: empty follows the appliance. */
  gateway: string;
  /** Name of an interface; empty: network boot chooses. */
  boot_listener: string;
}

/** What a unit may need to know of the service itself, of other units, and of the person who reviews. */
export interface Surroundings {
  /** TCP port of the management UI; 0 while the system is to choose one. */
  management_port: number;
  /** Whether it speaks TLS there, and the names that it goes by. */
  management_tls: boolean;
  management_names: readonly string[];
  /** PEM of the certificate that the service was started with; null where it speaks no TLS. */
  management_certificate: string | null;
  /** Where the public pages answer; null while they are off. */
  public_listen: { host: string; port: number } | null;
  /** Address of the person who reviews; null where nobody does. */
  operator: string | null;
  /** The documents that choose interfaces. */
  listeners: readonly Listener[];
  /** Documents that an apply enforces: nothing answers at the ports of the others. */
  enforced: ReadonlySet<string>;
  /** Reads what is bound to interfaces, with the documents of these keys. One statement. */
  bound(db: Database, documents: readonly Pick<Listener, 'key'>[]): Promise<Snapshot>;
  /** By name. One statement. */
  bootScopes(db: Database): Promise<BootScope[]>;
}

/** Drift as edits of saved interfaces, which would make the state of the host the desired state. */
export interface Adoption {
  /** Name of the interface, and the values that differ. */
  edits: { name: string; values: CanonicalUpdate }[];
  /** Drift that no edit can express; with one of them nothing is adopted. */
  refusals: Blocker[];
}

/** How drift is looked for. */
export interface DriftLook<Desired> {
  /**
   * `touched`: a unit of many entries may leave out those that it knows nobody to have written since it looked at all of
   * them. Default `all`, which is what the clock asks for.
   */
  look?: 'touched' | 'all';
  /** What is saved now: what the host has as it is wanted is no drift. For units that remember too little to tell. */
  wanted?: Desired;
}

export interface UnitDefinition<Desired> {
  id: UnitId;
  /** Reads the unit's desired state in as few statements as its tables. */
  load(db: Database, surroundings: Surroundings): Promise<Desired>;
  /** Pure: the desired state as facts. */
  facts(desired: Desired): Facts;
  /** Pure: a fact in an operator's words (`record vc01.lab.test A`, `10.0.0.11`). Nothing may decide by them. */
  words(kind: string, name: string, value: Data): Words;
  /** The certificate that its daemon is to serve with, by the id of the unit; null: none. One statement where it wants none. */
  certificate?(db: Database): Promise<{ purpose: string; names: string[]; keeps_key?: boolean } | null>;
  /**
   * Pure: the configuration files; `resolve` turns an appliance path into the path that the daemon will see. `kind`: of the
   * driver, for a unit whose daemon is another one away from the appliance.
   */
  render(desired: Desired, resolve: (path: string) => string, kind?: HostKind): RenderedFile[];
  /** Pure: whether one of the differences only follows the network: where the service listens. Default: none does. */
  follows?(difference: Difference, all: readonly Difference[]): boolean;
  /** Pure: the units by whose settings one of the differences may have come about; none: by the unit's own. */
  causes?(difference: Difference): readonly UnitId[];
  /**
   * Pure: facts from the words that the release before facts stored. Throws, or answers fewer, where the words have
   * none. Default: the facts of the remembered state, for units that remember all of it.
   */
  fromWords?(words: ReadonlyMap<string, string>, remembered: Desired): Facts;
  /** Pure: what the change means to people; `desired` for what no fact is to say, since it changes by itself. */
  impact(change: UnitChange, desired?: Desired): Impact;
  /**
   * Whom the change cuts off, or stalls, as it is now: a sentence each, which makes it one of high risk. Asked when a plan is
   * made; changes nothing. `namesOf`: names that the appliance knows for addresses.
   */
  cuts?(
    host: Host,
    change: UnitChange,
    namesOf: (addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ): Promise<string[]>;
  /** The real program's own validation of the staged files; `staged` maps an appliance path to its staged copy. */
  check(host: Host, desired: Desired, staged: (path: string) => string): Promise<CheckResult>;
  /**
   * Makes the running service follow its new files in the cheapest way; answers what it did in one sentence. `plan_id`: of the
   * plan that is put in force; left out on the way back.
   */
  activate(host: Host, desired: Desired, change: UnitChange, plan_id?: string): Promise<string>;
  /** It looks at the paths of a change alone, so that its facts, of which there may be very many, need not be kept for going back. */
  activatesByPaths?: true;
  /** The part of a desired state that `activate` needs to restore it; stored as JSON with the baseline. */
  remember(desired: Desired): Desired;
  /** What to activate when the first apply fails; null: restore the files and do nothing else. */
  nothing: Desired | null;
  /** What runs before the first apply, as a state to restore; default: `nothing`. */
  found?(host: Host): Promise<Desired>;
  /** Asks the running service a real question. `change`: what was just made; a unit may ask for no more than that. */
  probe(host: Host, desired: Desired, change?: UnitChange): Promise<ProbeResult>;
  /** Probes a remembered state, for a unit that remembers too little for `probe`. Default: `probe`. */
  probeInForce?(host: Host, inForce: Desired): Promise<ProbeResult>;
  /**
   * Differences between what runs and what was applied, one clause each (`ens192 lacks 10.0.0.5/24`). Files are
   * compared elsewhere. `inForce` is the remembered state. Changes nothing; only called where the host enforces.
   */
  drift?(host: Host, inForce: Desired, how?: DriftLook<Desired>): Promise<string[]>;
  /** Gives up what it knows nobody to have written: its next look is at all of it, whoever asks. */
  forgets?(host: Host): void;
  /** A plan with the unit was submitted, in this transaction; and it has ended, whatever became of it. */
  submitted?(tx: Transaction, plan_id: string): Promise<unknown>;
  ended?(tx: Transaction, plan_id: string): Promise<unknown>;
  /** Its drift only shows what does not run: an apply would lose nothing that a person changed. */
  onlyRuns?: true;
  /** Why there is no `adopt`, or what of a change is never adopted, and what becomes of it, in sentences that tell what to do. */
  notAdopted?: string;
  /** Turns drift into edits. A unit whose settings can't be read back from what runs has none. Changes nothing. */
  adopt?(host: Host, inForce: Desired): Promise<Adoption>;
  /**
   * The same for a unit whose own rows or settings can be read back from what runs. `applied`: path → text of its files, as far
   * as they were kept.
   */
  adoptRows?(host: Host, inForce: Desired, applied?: ReadonlyMap<string, string>): Promise<RowsFound>;
}

// biome-ignore lint/suspicious/noExplicitAny: the registry holds units of different desired states; each is only ever given its own.
export type AnyUnit = UnitDefinition<any>;
