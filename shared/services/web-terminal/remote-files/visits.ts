// Visits to the files of other machines that are open in this process. They have their places among the terminals, and session, role
// and applied state are looked at as often.
import { instant, newId } from '../../../ground/clock.ts';
import { notFound, Problem } from '../../../ground/problems.ts';
import { appendAudit } from '../../../kernel/audit/audit.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { opensAt, readManifest, type TerminalManifest } from '../manifest.ts';
import { CLOSINGS } from '../session/closing.ts';
import { LIMITS } from '../session/limits.ts';
import { mayOpen } from '../session/may-open.ts';
import { hasPlace, type OpenTerminal, openTerminalsOf } from '../session/open-terminals.ts';
import { hashed } from '../session/tickets.ts';
import { shownName } from './names.ts';
import { type Asker, FileVisit, type VisitEnd, type VisitFacts, type Visitor } from './visit.ts';
import type { Upload } from './writing.ts';

interface Row {
  action: string;
  detail: Record<string, unknown>;
  outcome?: 'success' | 'failure';
}

export class FileVisits {
  readonly #services: Services;
  readonly #open = new Map<string, FileVisit>();
  /** What an end leaves to be written to the audit log. */
  readonly #settling = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #looking = false;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Taken at once, also while it signs in. @throws Problem 409: there is none */
  takePlace({ actor, source_address }: Visitor, what: string, manifest: TerminalManifest): OpenTerminal {
    const all = openTerminalsOf(this.#services);
    const user_id = actor.user_id!;
    if (!hasPlace(all, user_id, manifest)) throw new Problem('state_conflict', CLOSINGS.full.says);
    const since = instant(this.#services.clock.now());
    const place: OpenTerminal = { user_id, what, source_address, since, session: null };
    all.add(place);
    return place;
  }

  giveBack(place: OpenTerminal): void {
    openTerminalsOf(this.#services).delete(place);
  }

  begin(facts: VisitFacts): FileVisit {
    const visit = new FileVisit(facts);
    this.#open.set(visit.id, visit);
    visit.onEnd((cause, asker) => this.#ended(visit, cause, asker));
    this.#timer ??= setInterval(() => void this.look(), LIMITS.look_ms);
    this.#timer.unref();
    return visit;
  }

  /** Of this session alone. @throws Problem 404 */
  find(id: string, credential_id: string | null): FileVisit {
    const found = this.#open.get(id);
    if (!found || found.facts.visitor.actor.credential_id !== credential_id) throw notFound('This connection');
    return found;
  }

  /** For whoever shows its key too. One whose vault entry or host key was changed ends. @throws Problem 404 */
  async enter(id: string, credential_id: string | null, key: string | null): Promise<FileVisit> {
    const found = this.find(id, credential_id);
    if (key === null || hashed(key) !== found.facts.key) throw notFound('This connection');
    if (!(await found.facts.holds())) found.end('revoked');
    if (found.over) throw notFound('This connection');
    found.used();
    return found;
  }

  /** Of this session, the oldest first. */
  of(credential_id: string | null): FileVisit[] {
    return [...this.#open.values()].filter(({ facts }) => facts.visitor.actor.credential_id === credential_id);
  }

  /** Also while an apply owns all mutations: it changes nothing of the appliance, and must not go unwritten. */
  async audit(
    { facts }: Pick<FileVisit, 'facts'>,
    { action, detail, outcome = 'success' }: Row,
    asker: Asker | null,
  ): Promise<void> {
    const { clock, entropy, keys, store } = this.#services;
    const { actor, source_address } = facts.visitor;
    const by = asker ?? { actor, source_address, request_id: newId('req', entropy) };
    const who = { at: instant(clock.now()), ...by };
    const event = {
      action,
      resource_type: 'terminal',
      resource_id: null,
      outcome,
      detail: { ...machineOf(facts), ...detail },
    };
    await store.write((tx) => appendAudit(tx, keys, who, event, { holdsLock: true }));
  }

  /** What nobody waits for. */
  notes(...row: Parameters<FileVisits['audit']>): void {
    const written = this.audit(...row).catch((error: Error) =>
      this.#services.logger.error('files of another machine', { failure: { message: error.message } }),
    );
    this.#settling.add(written);
    void written.then(() => this.#settling.delete(written));
  }

  /** Nothing came of it. */
  noteDropped(visit: FileVisit, { path, received }: Upload, asker: Asker | null): void {
    const detail = { path: shownName(path), bytes: received, whole: false };
    this.notes(visit, { action: 'terminal.file.uploaded', detail, outcome: 'failure' }, asker);
  }

  /** Once it resolves, the audit log has what was noted so far. */
  async settled(): Promise<void> {
    await Promise.all(this.#settling);
  }

  #ended(visit: FileVisit, cause: VisitEnd, asker: Asker | null): void {
    this.#open.delete(visit.id);
    this.giveBack(visit.facts.place);
    if (visit.upload) this.noteDropped(visit, visit.upload, asker);
    const detail = { cause, seconds: visit.seconds, ...visit.counts };
    this.notes(visit, { action: 'terminal.files.close', detail }, asker);
    if (this.#open.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Limits hold whatever can't be found out; a visit of which too little is known for too long ends. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const manifest = await this.#found(() => readManifest(this.#services.host));
      for (const visit of [...this.#open.values()]) {
        const may = manifest === undefined ? undefined : await this.#found(() => this.#mayGoOn(visit, manifest));
        visit.unknown = may === undefined ? visit.unknown + 1 : 0;
        if (may === false || visit.unknown >= LIMITS.unknown) visit.end('revoked');
        else visit.look();
      }
    } finally {
      this.#looking = false;
    }
  }

  async #mayGoOn({ facts }: FileVisit, manifest: TerminalManifest | null): Promise<boolean> {
    const { local, session_id } = facts.visitor;
    return opensAt(manifest, local) && (await mayOpen(this.#services, session_id)) !== null && (await facts.holds());
  }

  async #found<T>(asks: () => Promise<T>): Promise<T | undefined> {
    try {
      return await asks();
    } catch (error) {
      this.#services.logger.error('files of another machine', { failure: { message: (error as Error).message } });
      return undefined;
    }
  }

  /** Ends all, at once. Once it resolves, the audit log says so. */
  async stop(): Promise<void> {
    for (const visit of [...this.#open.values()]) visit.end('stopping');
    await this.settled();
  }
}

/** Which machine, as whom, by which entry. */
const machineOf = ({ account, remote, sftp }: Pick<VisitFacts, 'account' | 'remote' | 'sftp'>) => ({
  account,
  target: sftp.server,
  entry_id: remote.entry_id,
});

const all = new WeakMap<object, FileVisits>();

/** Those of this service: operations, pages and downloads share them. */
export function visitsOf(services: Services): FileVisits {
  const found = all.get(services.store) ?? new FileVisits(services);
  all.set(services.store, found);
  return found;
}
