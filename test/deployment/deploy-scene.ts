// A deployment from end to end in one process: an appliance, a simulated vSphere, an OVA in the depot, and an SDDC Manager
// that boots once its machine is switched on.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { indexOva } from '../../shared/ground/ova/index-ova.ts';
import type { Job } from '../../shared/kernel/jobs/job.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { applianceFolder } from '../../shared/services/offline-depot/store.ts';
import { pinnedClient } from '../../shared/vcf/connection/pinned-client.ts';
import type { TrustedTarget } from '../../shared/vcf/connection/trust.ts';
import type { TypedDeployment } from '../../shared/vcf/deployment/request.ts';
import { type DeploymentShell, replaceInShell } from '../../shared/vcf/deployment/shell.ts';
import { findDeployment } from '../../shared/vcf/deployment/view.ts';
import { type RemoteDepot, readDepot } from '../../shared/vcf/vcf-api/depot.ts';
import { login } from '../../shared/vcf/vcf-api/session.ts';
import { type Inventory, readInventory } from '../../shared/vcf/vsphere/inventory.ts';
import { openVsphere } from '../../shared/vcf/vsphere/session.ts';
import { startVcfAppliance, type VcfAppliance, type VcfApplianceOptions } from '../fakes/vcf-appliance.ts';
import { startVsphere, type Vsphere, type VsphereOptions } from '../fakes/vsphere.ts';
import { readyDepot } from '../setup/depot.ts';
import { House, type HouseOptions } from '../setup/house.ts';
import { type MadeOva, type OvaRecipe, sddcManagerAnswers } from '../setup/make-ova.ts';
import { permitLoopback } from '../setup/remote-scene.ts';
import { APPLIANCE, FILE, placeOva, QUICK, queueWith, requestFor, typedFor } from './deploy-request.ts';

export { APPLIANCE, FILE, NAME } from './deploy-request.ts';

export interface SceneOptions {
  mode?: 'vc' | 'esx';
  vsphere?: Partial<VsphereOptions>;
  appliance?: Partial<VcfApplianceOptions>;
  ova?: Partial<OvaRecipe>;
  house?: HouseOptions;
  shell?: Partial<DeploymentShell>;
  /** Null: the house is not opened with one. */
  depot?: boolean;
}

export class DeployScene {
  readonly house: House;
  readonly vsphere: Vsphere;
  readonly appliance: VcfAppliance;
  readonly ova: MadeOva;
  readonly inventory: Inventory;
  readonly lines: string[];
  readonly token: string;

  private constructor(
    parts: Omit<
      DeployScene,
      'typed' | 'queue' | 'run' | 'ended' | 'services' | 'close' | 'request' | 'disks' | 'depotThere'
    >,
  ) {
    this.house = parts.house;
    this.vsphere = parts.vsphere;
    this.appliance = parts.appliance;
    this.ova = parts.ova;
    this.inventory = parts.inventory;
    this.lines = parts.lines;
    this.token = parts.token;
  }

  static async open(options: SceneOptions = {}): Promise<DeployScene> {
    const lines: string[] = [];
    const appliance = await bootingAppliance(options.appliance);
    const vsphere = await startVsphere({
      mode: options.mode ?? 'vc',
      boot: async () => {
        await appliance.nextPhase();
        return { addresses: [APPLIANCE] };
      },
      ...options.vsphere,
    });
    const house = await House.open({
      log: (line) => void lines.push(line),
      ...(options.depot && { depot: true }),
      ...options.house,
    });
    const admin = await house.actor('admin');
    await permitLoopback(house, admin);
    replaceInShell(house.services, { ...QUICK, appliance_port: appliance.port, ...options.shell });
    if (options.depot) await readyDepot(house);
    const ova = await placeOva(house.services, options.ova);
    const inventory = await inventoryOf(vsphere);
    return new DeployScene({ house, vsphere, appliance, ova, inventory, lines, token: admin.token });
  }

  get services(): Services {
    return this.house.services;
  }

  typed(part: Partial<TypedDeployment> = {}): TypedDeployment {
    return typedFor(this.inventory, part);
  }

  /** What would be written down, and what not. */
  async request(part: Partial<TypedDeployment> = {}) {
    return requestFor(this.services, trustedIn(this.vsphere), this.typed(part));
  }

  /** Queues one with all that is typed for it. */
  async queue(part: Partial<TypedDeployment> = {}): Promise<string> {
    return queueWith(this.services, await this.request(part), this.vsphere.account);
  }

  /** Runs it to its end. */
  async run(part: Partial<TypedDeployment> = {}): Promise<Job> {
    const id = await this.queue(part);
    await this.house.appliance.runner.idle();
    return findJob(this.services.store, id);
  }

  ended(id: string) {
    return findDeployment(this.services.store, id);
  }

  /** SHA-256 of each disk, by its own reading of the file. */
  async disks(): Promise<string[]> {
    const path = join(applianceFolder(this.services.host), FILE);
    const { members } = await indexOva(path);
    const file = openSync(path, 'r');
    try {
      return members
        .filter(({ name }) => name.endsWith('.vmdk'))
        .map(({ offset, size }) => {
          const bytes = Buffer.alloc(size);
          readSync(file, bytes, 0, size, offset);
          return createHash('sha256').update(bytes).digest('hex');
        });
    } finally {
      closeSync(file);
    }
  }

  /** What the appliance itself says of its depot. */
  async depotThere(): Promise<RemoteDepot | null> {
    const { host, port, sha256, account } = this.appliance;
    const client = pinnedClient({ host, port, address: host, sha256 });
    try {
      return await readDepot(await login(client, account));
    } finally {
      client.close();
    }
  }

  async close(): Promise<void> {
    await this.house.close();
    await Promise.all([this.vsphere.stop(), this.appliance.stop()]);
  }
}

/** One that does not listen before it is told to, with the password that the OVF gets. */
export function bootingAppliance(options: Partial<VcfApplianceOptions> = {}): Promise<VcfAppliance> {
  return startVcfAppliance({
    role: 'SddcManager',
    version: '9.1.0.0.24962180',
    host: APPLIANCE,
    hosts: 1,
    boot: [{ phase: 'refused' }],
    account: { username: 'admin@local', password: sddcManagerAnswers().LOCAL_USER_PASSWORD! },
    ...options,
  });
}

export const trustedIn = ({ host, port, sha256 }: Vsphere): TrustedTarget => ({ host, port, address: host, sha256 });

export async function inventoryOf(vsphere: Vsphere): Promise<Inventory> {
  const client = pinnedClient(trustedIn(vsphere));
  const session = await openVsphere(client, vsphere.account);
  const inventory = await readInventory(session);
  await session.logout();
  client.close();
  return inventory;
}

/** `verify succeeded`, … */
export const outline = ({ tasks }: Pick<Job, 'tasks'>): Record<string, string> =>
  Object.fromEntries(tasks.map(({ name, state }) => [name, state]));
