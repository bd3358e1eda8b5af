// The KMIP server of a data folder without its listeners: one provider, and answers to requests.
import { instant } from '../../shared/ground/clock.ts';
import type { Observe } from '../../shared/ground/store/connection.ts';
import { answer } from '../../shared/services/kms/serving/answer.ts';
import type { Caller } from '../../shared/services/kms/serving/caller.ts';
import type { KmsShell } from '../../shared/services/kms/serving/operating.ts';
import { openSide } from './vault-scene.ts';

export const PROVIDER = { id: 'kmsprovider_test', name: 'test', activates_on_create: true };
export const CALLER: Caller = {
  provider: PROVIDER,
  client: { id: 'kmsclient_test', name: 'vc01.lab.example' },
  sha256: 'AA:BB',
  source_address: '192.0.2.9',
};

export type KmsSide = KmsShell & { logged: string[] };

export async function openKms(folder: string, observe?: Observe): Promise<KmsSide> {
  const side = await openSide(folder, observe);
  const logged: string[] = [];
  const log = (message: string, more: unknown) => logged.push(`${message} ${JSON.stringify(more)}`);
  const logger = { error: log, warn: log, info: log } as unknown as KmsShell['logger'];
  const settings = { version: '0.0.0-test' } as KmsShell['settings'];
  return { ...side, logger, settings, logged };
}

export async function addProvider({ store, clock }: KmsSide): Promise<void> {
  const at = instant(clock.now());
  await store.write((tx) =>
    tx.run('INSERT INTO kms_provider (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)', [
      PROVIDER.id,
      PROVIDER.name,
      at,
      at,
    ]),
  );
}

export const ask = async (side: KmsSide, request: Buffer): Promise<Buffer> =>
  (await answer(side, CALLER, request, null)).bytes;
