// Keeps the questions of DNS clients while dnsmasq restarts.
import { companion } from '../../ground/machine/companion.ts';
import type { Host } from '../../ground/machine/host.ts';

const DNS_PORT = '53';
/** Milliseconds of the program: to start on a slow and busy machine, to wait for dnsmasq, and for the last answers. */
const LIMIT_MS = 25_000;

/**
 * Resolves when the questions to these addresses are kept, or can't be: dnsmasq still runs then. The function that it
 * answers waits until they are answered, or their time is over. Never rejects.
 */
export async function holdQuestions(host: Host, servers: readonly string[]): Promise<() => Promise<void>> {
  if (servers.length === 0) return async () => undefined;
  const holding = Promise.withResolvers<void>();
  const args = [companion('hold-question', import.meta.url), DNS_PORT, servers.join(',')];
  const ended = host.exec(process.execPath, args, { timeout: LIMIT_MS, heard: () => holding.resolve() }).then(
    () => holding.resolve(),
    () => holding.resolve(),
  );
  await holding.promise;
  return () => ended;
}
