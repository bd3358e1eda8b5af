// The store as the library asks for it: one adapter a model. Each call is one statement, or a few in a transaction that it shares with
// those of others.
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Services } from '../../../kernel/operation/services.ts';
import {
  artifactOfUid,
  consumeArtifact,
  findArtifact,
  type Payload,
  putArtifact,
  removeArtifact,
  revokeGrant,
} from '../artifacts/artifacts.ts';
import type { GroupCommit } from '../artifacts/group-commit.ts';
import { forgetSession, noteSession, type Seen } from '../sessions/sessions.ts';
import { isProbeSubject } from './probe-client.ts';

type Shell = Pick<Services, 'store' | 'keys' | 'entropy' | 'clock'>;

/** Seconds for which something of no stated lifetime is kept. */
const KEPT = 24 * 3600;

interface Options {
  writes: GroupCommit;
  /** A client as the library's metadata; null: there is none that may sign in. */
  client(id: string): Promise<Payload | null>;
  /** Two redeemed the same thing at once: called for the later one, whose grant is revoked. Throws what it is told. */
  replayed(): never;
  /** Whose session is saved, by the request that is answered now; null: it knows of nobody. */
  seen(): Seen | null;
}

export const adapterFactory =
  (shell: Shell, options: Options): AdapterFactory =>
  (model) =>
    model === 'Client' ? clientAdapter(options) : artifactAdapter(shell, model, options);

const nothing = async (): Promise<undefined> => undefined;

function clientAdapter({ client }: Options): Adapter {
  return {
    find: async (id) => ((await client(id)) ?? undefined) as AdapterPayload | undefined,
    ...{ upsert: nothing, findByUid: nothing, findByUserCode: nothing },
    ...{ consume: nothing, destroy: nothing, revokeByGrantId: nothing },
  };
}

function artifactAdapter(shell: Shell, model: string, { replayed, writes, seen }: Options): Adapter {
  const { store, clock } = shell;
  const now = () => Math.floor(clock.now().getTime() / 1000);
  const given = (found: Payload | null) => (found ?? undefined) as AdapterPayload | undefined;
  return {
    upsert: (id, given, seconds = KEPT) => {
      const payload = given as unknown as Payload;
      const until = now() + seconds;
      // The probe is nobody, whom no list has.
      const noted = model === 'Session' && !isProbeSubject((payload as { accountId?: string }).accountId ?? '');
      const whose = noted ? seen() : null;
      return writes.write(async (tx) => {
        if (noted) await noteSession(tx, shell, payload, until, whose);
        await putArtifact(tx, shell, model, id, payload, until);
      });
    },
    find: async (id) => given(await findArtifact(store, shell, model, id, now())),
    findByUid: async (uid) => given(await artifactOfUid(store, shell, uid, now())),
    findByUserCode: nothing,
    async consume(id) {
      const grant = await writes.write(async (tx) => {
        if (await consumeArtifact(tx, model, id, now())) return null;
        const found = await findArtifact(tx, shell, model, id, now());
        const { grantId = '' } = (found ?? {}) as { grantId?: string };
        await revokeGrant(tx, grantId);
        // What the earlier one is still being given opens nothing without it.
        await removeArtifact(tx, 'Grant', grantId);
        return grantId;
      });
      if (grant !== null) replayed();
    },
    destroy: (id) =>
      writes.write(async (tx) => {
        if (model === 'Session') await forgetSession(tx, id);
        await removeArtifact(tx, model, id);
      }),
    revokeByGrantId: (grant) => writes.write((tx) => revokeGrant(tx, grant)),
  };
}
