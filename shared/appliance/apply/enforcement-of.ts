// Which implementation of the enforcement a host driver has.
import { join } from 'node:path';
import type { Services } from '../../kernel/operation/services.ts';
import { isRoot } from '../../platform/host/system.ts';
import { type Enforcement, enforcementIn } from './enforcement.ts';
import { enforcementByRoot } from './enforcement-by-root.ts';
import { startWatchdogBeside } from './window/start-watchdog.ts';

/** Stateless but for files, so that it can be asked for wherever it is needed. */
export function enforcementOf({ host, settings, checkpoint }: Services): Enforcement {
  if (host.kind === 'system' && !isRoot()) return enforcementByRoot();
  const folder = join(settings.data, 'apply');
  return enforcementIn({
    host,
    folder,
    startWatchdog: () => startWatchdogBeside(host, settings.data),
    ...(checkpoint && { checkpoint }),
  });
}
