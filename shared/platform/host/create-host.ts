// Chooses and loads the host driver.
import type { Host, HostKind } from '../../ground/machine/host.ts';
import type { Guard } from './system-guard.ts';

export interface HostConfig {
  kind: HostKind;
  /** Needed for kind `namespace`. */
  namespace?: string;
  /** Absolute path of the folder below which rehearsal and namespace keep their files. */
  dataFolder: string;
  /** What programs that run as root may do to the machine; or a function that loads the guard when it is needed. */
  guard: Guard | (() => Promise<Guard>);
}

/** The driver of a name such as `namespace:gc-ap`. */
export function hostNamed(name: string, dataFolder: string, guard: Guard): Promise<Host> {
  const [kind = '', namespace = ''] = name.split(':');
  return createHost({ kind: kind as HostKind, namespace, dataFolder, guard });
}

/** @throws Error with one clear line when the configuration can't work. */
export async function createHost(config: HostConfig): Promise<Host> {
  const { namespace = '', dataFolder, guard } = config;
  const makers: Record<HostKind, () => Promise<Host>> = {
    rehearsal: async () => (await import('./rehearsal.ts')).rehearsalHost(dataFolder, guard),
    namespace: async () => (await import('./namespace.ts')).namespaceHost(namespace, dataFolder),
    system: async () =>
      (await import('./system.ts')).systemHost(typeof guard === 'function' ? await guard() : guard, dataFolder),
  };
  return makers[config.kind]();
}
