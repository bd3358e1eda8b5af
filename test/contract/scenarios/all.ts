// Every scenario, by operation id. A new area adds its file here.
import { ACCESS } from './access.ts';
import { APPLY } from './apply.ts';
import { DNS } from './dns.ts';
import { NETWORK } from './network.ts';
import type { Scenarios } from './scenario.ts';
import { SERVICE } from './service.ts';

export const SCENARIOS: Scenarios = { ...ACCESS, ...SERVICE, ...NETWORK, ...DNS, ...APPLY };
