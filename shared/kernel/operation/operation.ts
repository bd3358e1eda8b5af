// What an operation is: data first, code second. Everything else (handler, route, OpenAPI entry, generated tests) is
// derived from this declaration.
import type { GenericSchema, InferOutput } from 'valibot';
import type { ErrorCode, FieldError, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Precondition } from '../../ground/store/revision.ts';
import type { Actor } from '../access/actor.ts';
import type { MutationLock } from '../access/mutation-lock.ts';
import type { Scope } from '../access/scopes.ts';
import type { AuditEvent } from '../audit/audit.ts';
import type { Constant } from './constant.ts';
import type { Connection } from './event.ts';
import type { FormOutcome, Services } from './services.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Plane = 'api' | 'management' | 'public' | 'boot';
/** What an operation does, of which each declares one; in the words of the document. */
export const EFFECTS = {
  read: 'changes nothing',
  /** A question that needs a body: a POST, which GET can't be. */
  'answers-only': 'only answers, changes nothing',
  immediate: 'changes application state immediately',
  'queues-job': 'queues a durable job',
  'desired-state': 'saves desired state only',
} as const;
export type Effect = keyof typeof EFFECTS;

/**
 * Bearer token with a scope, or any token; signed-in session (with a scope of its role, where named) and CSRF; or
 * anybody.
 */
export type Access = { scope: Scope | 'any' } | { session: Scope | 'any' } | 'public';

export interface AnswerSpec {
  description: string;
  schema?: GenericSchema;
  /** Instead of `schema`: a text of this media type. */
  media?: string;
  /** `run` sets Location itself, because the body is not just what was created or queued. */
  located?: boolean;
  /** The answer carries an entity tag. */
  tagged?: boolean;
  /** The answer also has observed state, which the tag does not cover: never 304. */
  live?: boolean;
}

export interface RequestFacts {
  id: string;
  path: string;
  query_string: string;
  source_address: string;
  secure: boolean;
  /** Null where no listener of the house took the connection. */
  connection: Connection | null;
  headers: Record<string, string>;
  cookies: Record<string, string>;
  /** From If-Match or from the form's hidden field; null when none was sent. */
  if_match: Precondition;
  dry_run: boolean;
  now: Date;
  /** The mutation lock as it was when the caller was recognised. */
  lock: MutationLock | null;
}

export interface ReadContext<P, Q> {
  services: Services;
  actor: Actor;
  request: RequestFacts;
  params: P;
  query: Q;
  db: Database;
  /** Pages only: the form that was posted to this page and not redirected. */
  outcome: FormOutcome | null;
}

export interface MutationContext<P, Q, B> extends Omit<ReadContext<P, Q>, 'db' | 'outcome'> {
  body: B;
  tx: Transaction;
  /** Records an event in this transaction. A mutation that records none is a defect and answers 500. */
  audit(event: AuditEvent): void;
  /** Runs after the commit: wake the job runner, drop a cookie. Never for what must not be lost. */
  afterCommit(work: () => void): void;
  /** Action and answer when the disk is too full to save anything, for operations that must not wait for space. */
  onFullDisk(instead: () => Problem): void;
}

export interface Answer {
  status?: number;
  body?: unknown;
  /** A page instead of a JSON body. */
  html?: string;
  /** The same for whoever asks, instead of a JSON body. Its media type is in `headers`. */
  constant?: Constant;
  /** Plain text instead of a JSON body: scripts and configuration files of a boot loader. */
  text?: string;
  /** A text in parts, each made when the one before it has left, instead of a JSON body. Its media type is in `headers`. */
  parts?: AsyncIterable<string>;
  /** Bytes instead of a JSON body. Their media type is in `headers`. */
  bytes?: Buffer;
  headers?: Record<string, string>;
  cookies?: string[];
  /** Revision of the single resource in the body. */
  revision?: number;
  /** Mutations only: there was nothing to do and nothing was written, so there is nothing to audit. */
  unchanged?: true;
  /** Mutations only: commits the writes and audit events, and answers this refusal. */
  refuse?: Problem;
}

/** What an answer of a deprecated resource carries. */
export interface Legacy {
  /** When it was deprecated, seconds since 1970 (RFC 9745). */
  since: number;
  /** Path of the page about what is to be used instead (RFC 9745, 3). */
  page: string;
  /** Path of the operation to be used instead (RFC 5829). */
  successor: string;
}

interface Declaration<P extends GenericSchema, Q extends GenericSchema, B extends GenericSchema> {
  /** camelCase, unique, part of the published contract. */
  id: string;
  method: Method;
  /** `/api/v1/dns/records/{record_id}`: literal segments and `{parameters}`. */
  path: string;
  /** Default: `api` below /api/v1/, where nothing else may be, and at /metrics. */
  plane?: Plane;
  access: Access;
  /** Grouping in the documents: `DNS`. */
  tag: string;
  summary: string;
  description: string;
  params?: P;
  query?: Q;
  /** Why query parameters that it doesn't know are ignored; without it they are refused. Never on the API plane. */
  openQuery?: string;
  body?: B;
  /** Instead of `body`: bytes (application/octet-stream), which `run` gets as a Buffer. */
  binary?: boolean;
  /** Media types that the bytes have, in place of application/octet-stream, and what the document says of each; null: a text. */
  media?: Readonly<Record<string, GenericSchema | null>>;
  /** Bytes; default 64 KiB, and 4 KiB where access is public. Only what takes bulk states more. */
  bodyLimit?: number;
  answers: Record<number, AnswerSpec>;
  /** For clients of an earlier contract: not in the OpenAPI document; every answer names the replacement. */
  legacy?: Legacy;
  /** Specific codes beyond those that every operation of its access and effect can answer. */
  problems?: ErrorCode[];
}

export interface ReadSpec<P extends GenericSchema, Q extends GenericSchema, B extends GenericSchema>
  extends Declaration<P, Q, B> {
  /** Default of a GET. */
  effect?: 'read';
  run(context: ReadContext<InferOutput<P>, InferOutput<Q>>): Promise<Answer>;
}

export interface MutationSpec<P extends GenericSchema, Q extends GenericSchema, B extends GenericSchema>
  extends Declaration<P, Q, B> {
  effect: Exclude<Effect, 'read'>;
  /**
   * Actions of the audit events that it may write; `none` only for what changes nothing but the browser's own cookies.
   */
  audit: string[] | 'none';
  /**
   * False: works while an apply owns all mutations, and the published description says so. For signing in, for ending
   * the lock, and for everything that ends access, since an attacker must be stopped even during a confirm window.
   * Operations that grant access or change desired state wait. test/contract/mutation-lock.test.ts lists them all.
   */
  guarded?: boolean;
  /** True: takes the mutation lock in its own transaction, which refuses when another job has it. */
  takesLock?: boolean;
  /**
   * True: it owns everything from `prepare` to its answer, so that other mutations are refused with 423 meanwhile. Of a
   * dry run nobody notices anything. It lasts as long as the request: work that survives a restart takes the lock by a job.
   */
  ownsAll?: boolean;
  /**
   * True: it takes `dry_run` as every mutation of desired state does. For an immediate one whose `run` changes the database
   * alone and that has no `prepare`.
   */
  dryRun?: true;
  /**
   * True: `prepare` only judges, so that nothing is lost when the request is refused after it: it waits for no restore that
   * is being saved by then.
   */
  judges?: boolean;
  /**
   * True: `prepare` changes the host, so its audit row is written even if the caller's credential is revoked meanwhile.
   * The credential is checked again before `prepare`, not after it.
   */
  preparesHost?: boolean;
  /**
   * Values in place of refused members that `run` needs, for an operation whose `run` changes the database alone: when
   * the schema refuses members, `run` still checks the others, and is rolled back.
   */
  standIns?: Readonly<Record<string, unknown>>;
  /** Slow work before the transaction (password hashing); its answer reaches `run` as `context.prepared`. */
  prepare?(context: Omit<MutationContext<InferOutput<P>, InferOutput<Q>, InferOutput<B>>, 'tx'>): Promise<unknown>;
  /** Closes what `prepare` opened, whatever became of it after that. */
  release?(prepared: unknown): Promise<void>;
  run(
    context: MutationContext<InferOutput<P>, InferOutput<Q>, InferOutput<B>> & { prepared: unknown },
  ): Promise<Answer>;
}

/** How a browser form reaches the mutation: fields to body, answer to the next page. */
export interface FormSpec {
  /** Path template of the page that shows the form again, filled in, when the mutation is refused. */
  page: string;
  /** Turns posted fields into the body, before validation. */
  decode(fields: FormFields): unknown;
  /** Faults of the fields themselves; answered together with the faults of the body. */
  faults?(fields: FormFields): FieldError[];
  /** Where the browser goes after success (303), and the message shown there. */
  done(answer: Answer, fields: FormFields, params: Record<string, string>): { location: string; flash?: string };
  /** Fields that are never filled in again (passwords). */
  secret?: string[] | 'all';
  /**
   * The form has the field `own_password`: the user enters the own password again, and it is checked before `prepare`.
   * A wrong one is recorded as a failure of the form's first audit action, for this type of resource and the path's
   * first id. A dry run does not ask for it.
   */
  confirms?: { resource_type: string };
  /** The success is shown on the page itself instead of a redirect: a secret that is shown once. Also for some answers alone. */
  shows?: boolean | ((answer: Answer) => boolean);
  /** Its fields that are files, which `decode` finds as base64. */
  files?: string[];
  /** A client that asks for JSON instead of a page (Accept) gets the answer itself, without a redirect. */
  fetch?: boolean;
}

/** Posted form fields; a repeated name keeps all values. */
export class FormFields {
  readonly values: URLSearchParams;
  constructor(encoded: string) {
    this.values = new URLSearchParams(encoded);
  }
  text(name: string): string {
    return this.values.get(name)?.trim() ?? '';
  }
  /** The text, or undefined when the field was not sent: an omitted property keeps its saved value. */
  optional(name: string): string | undefined {
    return this.values.has(name) ? this.text(name) : undefined;
  }
  all(name: string): string[] {
    return this.values
      .getAll(name)
      .map((value) => value.trim())
      .filter((value) => value !== '');
  }
  /** Lines, commas or spaces separate the items. */
  list(name: string): string[] {
    return this.text(name)
      .split(/[\s,]+/)
      .filter(Boolean);
  }
  checked(name: string): boolean {
    return this.values.has(name);
  }
  /** A number when it reads as an integer, else the text, so that validation points at the field. */
  integer(name: string): number | string | undefined {
    const text = this.optional(name);
    return text !== undefined && /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: heterogeneous list; each handler validates with its own schemas.
export type AnySpec = (ReadSpec<any, any, any> | MutationSpec<any, any, any>) & {
  plane: Plane;
  effect: Effect;
  form?: FormSpec;
};

/** Whether it takes `dry_run`: then its answer is that of the mutation, and nothing is saved. */
export const takesDryRun = (spec: AnySpec): boolean =>
  spec.effect === 'desired-state' || (spec.effect !== 'read' && spec.dryRun === true);

/** Whether a mutation is refused while a guarded operation owns everything. */
export const waitsForLock = (spec: AnySpec): boolean => spec.effect !== 'read' && spec.guarded !== false;

/**
 * Whether a request of it is told to come again while a restore is being saved. Machines that boot know no coming again: they
 * wait that second.
 */
export const saves = (spec: AnySpec): boolean =>
  spec.effect !== 'read' && spec.audit !== 'none' && spec.plane !== 'boot';
