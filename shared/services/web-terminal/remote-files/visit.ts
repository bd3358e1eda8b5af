// One visit to the files of another machine: its connection, and what is on its way. Names and bytes are written to the audit log,
// what is in the files nowhere.
import { Problem } from '../../../ground/problems.ts';
import type { Actor } from '../../../kernel/access/actor.ts';
import type { AuditContext } from '../../../kernel/audit/audit.ts';
import { type Terms, Times } from '../session/limits.ts';
import type { OpenTerminal } from '../session/open-terminals.ts';
import type { RemoteTarget } from '../session/tickets.ts';
import type { Sftp } from './sftp.ts';
import { dropUpload, type Upload } from './writing.ts';

/** Whose it is. */
export interface Visitor {
  actor: Actor;
  /** The cookie's id, to find the session again; never written anywhere. */
  session_id: string;
  /** Local address that it is shown at. */
  local: string;
  source_address: string;
}

/** Who asked for what is written to the audit log, and in which request. */
export type Asker = Omit<AuditContext, 'at'>;

export type VisitEnd = 'closed' | 'idle' | 'total' | 'revoked' | 'stopping' | 'gone' | 'replaced';

export interface VisitFacts {
  id: string;
  /** Hash of what its browser shows. */
  key: string;
  /** Whether the entry of the vault and the confirmed host key are still those that it was opened with. */
  holds: () => Promise<boolean>;
  /** Its place among all terminals. */
  place: OpenTerminal;
  visitor: Visitor;
  account: string;
  remote: RemoteTarget;
  sftp: Sftp;
  /** The folder that it begins in. */
  home: string;
  terms: Terms;
  /** Milliseconds. */
  now?: () => number;
}

/** Downloads at once. */
const DOWNLOADS_MOST = 4;

export class FileVisit {
  readonly facts: VisitFacts;
  readonly counts = { downloads: 0, uploads: 0, bytes_in: 0, bytes_out: 0 };
  readonly #now: () => number;
  readonly #times: Times;
  readonly #began: number;
  readonly #running = new Set<() => void>();
  readonly #works: ((cause: VisitEnd, asker: Asker | null) => void)[] = [];
  #upload: Upload | null = null;
  #writing = false;
  #over = false;
  /** Looks in a row that found nothing out. */
  unknown = 0;

  constructor(facts: VisitFacts) {
    this.facts = facts;
    this.#now = facts.now ?? (() => performance.now());
    this.#began = this.#now();
    this.#times = new Times(facts.terms, this.#began);
    facts.sftp.onEnd(() => this.end('gone'));
  }

  get id(): string {
    return this.facts.id;
  }

  get over(): boolean {
    return this.#over;
  }

  get seconds(): number {
    return Math.round((this.#now() - this.#began) / 1000);
  }

  get upload(): Upload | null {
    return this.#upload;
  }

  onEnd(work: (cause: VisitEnd, asker: Asker | null) => void): void {
    this.#works.push(work);
  }

  /** Somebody asked for something, or bytes moved. */
  used(): void {
    this.#times.typed(this.#now());
  }

  look(): void {
    const due = this.#times.due(this.#now());
    if (due && 'end' in due) this.end(due.end);
  }

  /** `stop` is called at once where the visit ends. @throws Problem 429 */
  begins(stop: () => void): () => void {
    if (this.#running.size >= DOWNLOADS_MOST)
      throw new Problem('too_many_attempts', `At most ${DOWNLOADS_MOST} downloads run at once. Wait for one of them.`, {
        retry_after: 10,
      });
    this.#running.add(stop);
    return () => void this.#running.delete(stop);
  }

  /** In the place of one that was not finished, which is answered. */
  uploads(upload: Upload): Upload | null {
    const former = this.#upload;
    this.#upload = upload;
    return former;
  }

  /** One piece at a time. @throws Problem 409 */
  async writes<T>(work: () => Promise<T>): Promise<T> {
    if (this.#writing) throw new Problem('state_conflict', 'Another piece of this upload is being written.');
    this.#writing = true;
    try {
      return await work();
    } finally {
      this.#writing = false;
    }
  }

  /** It is whole, or nothing comes of it. */
  forgets(upload: Upload): void {
    if (this.#upload === upload) this.#upload = null;
  }

  /** `asker`: whose request ends it; null: none does. */
  end(cause: VisitEnd, asker: Asker | null = null): void {
    if (this.#over) return;
    this.#over = true;
    for (const stop of this.#running) stop();
    const { sftp } = this.facts;
    const upload = this.#upload;
    // What was not finished is taken away first, as far as the other machine answers.
    if (upload) void dropUpload(sftp, upload).finally(() => sftp.end());
    else sftp.end();
    for (const work of this.#works) work(cause, asker);
  }
}
