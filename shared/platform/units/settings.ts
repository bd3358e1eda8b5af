// What a unit's `settings.ts` declares: schema, defaults and words of its one settings document. Store, REST
// operations, form and page are made from it.
import type { InferOutput, ObjectEntries, StrictObjectSchema } from 'valibot';
import type { FieldError } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Resource } from '../../kernel/access/scopes.ts';
import type { UnitId } from '../unit-names.ts';

/** Members that every service with listeners has. */
export interface Listening {
  enabled: boolean;
  listen_interfaces: string[];
}

/** Document of settings as saved and answered. */
export type SavedSettings<S> = S & {
  /** Only for services with listeners: derived from the interfaces, IPv4 before IPv6 on each. */
  listen_addresses?: string[];
  /** 0 while nothing was ever saved and the defaults hold. */
  revision: number;
  updated_at: string | null;
};

export interface UnitSettings<
  E extends ObjectEntries = ObjectEntries,
  S = InferOutput<StrictObjectSchema<E, undefined>>,
> {
  /** Row of `unit_settings`; the unit's id unless a unit has several documents. */
  key: string;
  unit: UnitId;
  /** Prefix of the schemas' names in the OpenAPI document: `Ntp` → NtpSettings, NtpSettingsUpdate. */
  component: string;
  /** Tag in the OpenAPI document: `NTP`. */
  tag: string;
  /** For sentences: `the time service`. */
  name: string;
  resource: Resource;
  /** REST path without `/settings`: `/api/v1/ntp`. */
  path: string;
  /** Page of the settings form, which saving also leads to. */
  page: string;
  /** The full document: every member, none optional; each with a description. */
  schema: StrictObjectSchema<E, undefined>;
  /** Example body of PATCH in the OpenAPI document: values of a lab, and addresses reserved for documentation. */
  example: Partial<S>;
  defaults: S;
  /** Whether it binds to interfaces (members enabled and listen_interfaces). `optional`: may be on without any. */
  listens: 'required' | 'optional' | 'no';
  /** Without listeners of its own, the appliance keeps records for its name all the same: where its items are served. */
  keeps_records?: true;
  /** Faults of a document beyond its schema; `own`: addresses of the appliance's own interfaces. */
  faults?(settings: S, own: ReadonlySet<string>): FieldError[];
  /** Faults of references to other rows; only called when the document differs from the saved one. */
  refers?(db: Database, settings: S): Promise<FieldError[]>;
  /** Over TLS it may share its member `port` with others, told apart by its member `hostname` (names-at-a-port.ts). */
  shares_port?: true;
  /** Names in it by which the management UI goes, or will: no service may have one where the two share a port. */
  names_management?(settings: S): { pointer: string; name: string }[];
  /**
   * Refuses values that not everybody who may save the document can choose; only called when it differs from the saved
   * one.
   * @throws Problem 403 at the members
   */
  reserved?(db: Database, settings: S, before: S, actor: Actor | undefined): Promise<void>;
  /** Sentences for the operation's description: choices and limits. */
  describes: string;
}

// biome-ignore lint/suspicious/noExplicitAny: registries hold documents of different shapes; each is only ever given its own.
export type AnySettings = UnitSettings<any, any>;
