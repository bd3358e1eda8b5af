// The settings documents that follow their interfaces, in the order of the units.

import type { ServiceDependents } from '../platform/interfaces/refresh/snapshot.ts';
import type { Listener } from '../platform/units/manifest.ts';
import { MANIFESTS } from './manifests.ts';

export const SERVICE_DEPENDENTS: readonly (ServiceDependents & Listener)[] = MANIFESTS.flatMap(({ id, listeners }) =>
  listeners.map((listener) => ({ unit: id, ...listener })),
);
