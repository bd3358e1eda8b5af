// What a push stands on: the target, its client, the connection, and the book of what was sent.
import { instant } from '../../ground/clock.ts';
import { systemUptime } from '../../ground/machine/uptime.ts';
import { Problem } from '../../ground/problems.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { jobSecrets } from '../../kernel/jobs/secrets.ts';
import { type Client, clientById } from '../../services/oidc/clients/clients.ts';
import { partsOf } from '../../services/oidc/scim/base-url.ts';
import { noteObjects, type ObjectKind, type ObjectOutcome, type SentObject } from '../../services/oidc/scim/objects.ts';
import { type ScimTarget, targetById } from '../../services/oidc/scim/targets.ts';
import { openToken } from '../../services/oidc/scim/token.ts';
import type { PinnedClient } from '../connection/pinned-client.ts';
import { clientFor } from '../connection/reach.ts';
import { parseServer, serverText } from '../connection/target.ts';
import { Scim } from './client.ts';

/** Seconds that a push lasts, at most. What is left then the next one does. */
export const PUSH_SECONDS = 30 * 60;

/** vCenter 8 is said to want its own scheme in some releases. */
const SCHEMES: Readonly<Partial<Record<Client['preset'], readonly string[]>>> = { vcenter: ['Bearer', 'HZN'] };

export interface PushShell {
  job: JobRun;
  client: Client;
  target: ScimTarget;
  scim: Scim;
  book: Book;
  close(): void;
}

/** @throws Problem 404, 409; without a confirmed certificate nothing is opened, the token neither */
export async function openPush(job: JobRun): Promise<PushShell> {
  const { services } = job;
  const target = await targetById(services.store, job.job.subject!);
  const client = (await clientById(services.store, target.client_id))!;
  const { server, path } = partsOf(target.base_url);
  const { host, port } = parseServer(server);
  const pinned = await clientFor(services, { host, port, ...confirmedOf(target) });
  const scim = await scimOver(job, pinned, { target, client, path, server: serverText({ host, port }) });
  return { job, client, target, scim, book: new Book(job, target.id), close: () => pinned.close() };
}

function confirmedOf({ address, sha256 }: ScimTarget): { address: string; sha256: string } {
  if (address !== null && sha256 !== null) return { address, sha256 };
  throw new Problem('state_conflict', 'The certificate of the SCIM target is not confirmed yet: look at it first.');
}

interface Over {
  target: ScimTarget;
  client: Client;
  path: string;
  server: string;
}

async function scimOver(job: JobRun, pinned: PinnedClient, { target, client, path, server }: Over): Promise<Scim> {
  const { services, signal } = job;
  const token = await openToken(services.store, services, target.id);
  const now = await targetById(services.store, target.id);
  // It may be the token of another server, which was saved since the target was read.
  if (now.base_url !== target.base_url || now.sha256 !== target.sha256)
    throw new Problem('state_conflict', 'The SCIM target was changed in the meantime. Push again.');
  // Whatever a careless message of this job said, it would not say the token.
  jobSecrets(services).put(job.id, { token });
  jobSecrets(services).hold(job.id);
  const uptime = services.uptime ?? systemUptime;
  const until = uptime.milliseconds() + PUSH_SECONDS * 1000;
  return new Scim({
    ...{ client: pinned, server, path, token, signal },
    schemes: SCHEMES[client.preset] ?? ['Bearer'],
    wait: (ms) => job.sleep(ms),
    check: () => {
      job.stopIfFenced();
      if (uptime.milliseconds() < until) return;
      throw new Problem(
        'remote_timeout',
        `The push took more than ${PUSH_SECONDS / 60} minutes and was ended. The next one goes on where it stopped.`,
      );
    },
  });
}

/** Objects that are written at once. */
const BATCH = 25;

/** What was sent, written in batches. */
export class Book {
  readonly #job: JobRun;
  readonly #target_id: string;
  #open: SentObject[] = [];
  readonly counts: Record<ObjectOutcome, number> = {
    ...{ pending: 0, created: 0, updated: 0, unchanged: 0, deactivated: 0, removed: 0, refused: 0 },
  };

  constructor(job: JobRun, target_id: string) {
    this.#job = job;
    this.#target_id = target_id;
  }

  async note(
    kind: ObjectKind,
    about: { external_id: string; name: string },
    outcome: ObjectOutcome,
    { sent_sha256 = '', reason = '' }: { sent_sha256?: string; reason?: string } = {},
  ): Promise<void> {
    const { external_id, name } = about;
    const at = instant(this.#job.services.clock.now());
    this.#open.push({ kind, external_id, name, outcome, sent_sha256, reason, at });
    this.counts[outcome] += 1;
    if (this.#open.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    if (open.length === 0) return;
    this.#job.stopIfFenced();
    await this.#job.services.store.write((tx) => noteObjects(tx, this.#target_id, open));
  }
}
