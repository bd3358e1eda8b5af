// Random saved states of the firewall: read from a real store, and held against a list of what should be open that is made
// anew here. GROUNDCREW_FUZZ_FILTERS: how many.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SERVICE_DEPENDENTS } from '../../shared/appliance/dependents.ts';
import { ENFORCED } from '../../shared/appliance/manifests.ts';
import { surroundingsOf } from '../../shared/appliance/surroundings.ts';
import { type Address, formatAddress, parseAddress, parseCidr } from '../../shared/ground/addresses/address.ts';
import { openStore } from '../../shared/ground/store/open-store.ts';
import type { Store } from '../../shared/ground/store/store.ts';
import { load } from '../../shared/services/firewall/desired.ts';
import { evaluate } from '../../shared/services/firewall/evaluate.ts';
import { ruleSet } from '../../shared/services/firewall/rule-set.ts';
import { OTHER_KEYS } from '../../shared/services/firewall/service-ports.ts';
import { furnished, isOpen } from '../fixtures/firewall/worlds.ts';
import { sow } from './world-rows.ts';

const WORLDS = Number(process.env.GROUNDCREW_FUZZ_FILTERS ?? 60);
const PORTS = [22, 53, 67, 68, 69, 80, 111, 123, 389, 443, 546, 547, 636, 2049, 4460, 5696, 8080, 8081, 8443, 20048];
const SOURCES = ['10.10.0.9', '10.100.0.9', '192.168.7.7', '203.0.113.9', 'fd00:10::9', 'fe80::9', '2001:db8::9'];

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundcrew-firewall-'));
  store = await openStore(folder);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const address = (text: string): Address => parseAddress(text)!;
const packet = (iifname: string, protocol: 'tcp' | 'udp', port: number, from: string) => ({
  ...({ chain: 'input', state: 'new' } as const),
  ...{ iifname, protocol, port, source: address(from) },
  destination: address(from.includes(':') ? 'fd00::5' : '10.10.0.5'),
});

const everything = new Set([...SERVICE_DEPENDENTS.map(({ key }) => key), ...OTHER_KEYS]);
test.each([
  ['once every unit is enforced', everything, 800],
  ['while some are only saved', ENFORCED, 250],
])(
  'every listener is reached by whom it should be, and by nobody else: %s',
  async (_when, enforced, least) => {
    let open = 0;
    let asked = 0;
    for (let seed = 1; seed <= WORLDS; seed++) {
      const world = furnished(seed);
      await store.write((tx) => sow(tx, world));
      const made = await load(store, {
        ...surroundingsOf({ management_port: 8080, public_listen: null }),
        enforced,
      });
      const rules = ruleSet(made);
      const own = world.interface.flatMap((row) =>
        [row.ipv4_cidr, row.ipv6_cidr].flatMap((text) => parseCidr(String(text)) ?? []),
      );
      const near = own.slice(0, 4).map(({ family, last }) => [family, last] as const);
      const all = [...SOURCES, ...near.map(([family, last]) => formatAddress(family, last))];
      for (const { name } of [...world.interface, { name: 'stranger' }]) {
        for (const port of PORTS) {
          for (const protocol of ['tcp', 'udp'] as const) {
            for (const from of all) {
              const said = evaluate(rules, packet(String(name), protocol, port, from)).verdict;
              const should = isOpen(world, String(name), protocol, port, from, enforced);
              if ((said === 'accept') !== should) {
                throw new Error(
                  `world ${seed}: ${protocol} ${port} on ${name} from ${from}: ${said}, should be ${should}`,
                );
              }
              asked++;
              if (should) open++;
            }
          }
        }
      }
    }
    expect(asked).toBeGreaterThan(80_000);
    expect(open).toBeGreaterThan(least);
  },
  60_000,
);
