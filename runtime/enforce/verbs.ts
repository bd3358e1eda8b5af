// The verbs of the root step. Each one that concerns a unit begins by reading the plan again: it must be submitted, the
// unit must be in it, and the desired state must still render to the digest that was reviewed.

import { type Enforcement, enforcementIn, type UnitOrder } from '../../shared/appliance/apply/enforcement.ts';
import { keptFolder, loadKept } from '../../shared/appliance/apply/kept.ts';
import { gather } from '../../shared/appliance/apply/make-plan.ts';
import type { Plan } from '../../shared/appliance/apply/plan.ts';
import { findPlan } from '../../shared/appliance/apply/plan-store.ts';
import { WindowClosed } from '../../shared/appliance/apply/window/confirm-window.ts';
import { fileRefusal, pathRefusal } from '../../shared/appliance/host-guard.ts';
import { findUnit } from '../../shared/appliance/units.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { digestOf } from '../../shared/platform/applied/baseline.ts';
import { keyPath } from '../../shared/platform/host/key-files.ts';
import { QUESTIONS } from '../../shared/platform/host/system-questions.ts';
import { permit, Refused } from '../../shared/platform/host/system-root.ts';
import { asOwner } from './desired-state.ts';
import { type RootRequest, requestSchema, type UnitRequest } from './request.ts';
import type { Verbs } from './serve.ts';

export interface RootStepOptions {
  /** The guarded driver: shared/platform/host/system-root.ts. */
  host: Host;
  /** The service's data folder. */
  data: string;
  /** Root's own: the way back, and the record of the confirm window. */
  folder: string;
  /** What the service is started with, and the units' files depend on. */
  settings: Pick<
    Services['settings'],
    'management_port' | 'management_tls' | 'management_names' | 'management_certificate' | 'public_listen'
  >;
  logger: Pick<Services['logger'], 'warn'>;
  startWatchdog(): Promise<void>;
}

/** What the root step answers with. */
export const rootVerbs = (options: RootStepOptions): Verbs<RootRequest> => {
  const verbs = new RootVerbs(options);
  return {
    schema: requestSchema,
    run: (request) => verbs.run(request),
    closed: (error) => error instanceof WindowClosed,
  };
};

/** States in which the apply of a plan is at work. */
const RUNNING: ReadonlySet<Plan['state']> = new Set(['submitted', 'confirming']);
const FILTER_FILE = '/etc/groundcrew/nftables/groundcrew.nft';

class RootVerbs {
  readonly #options: RootStepOptions;
  readonly #enforcement: Enforcement;

  constructor(options: RootStepOptions) {
    this.#options = options;
    const { host, folder, startWatchdog } = options;
    this.#enforcement = enforcementIn({ host, folder, startWatchdog });
  }

  /**
   * @throws Refused with one line, Problem or WindowClosed of the confirm window, Error when the host can't be changed
   */
  async run(request: RootRequest): Promise<unknown> {
    const { window } = this.#enforcement;
    switch (request.verb) {
      case 'ask': {
        const { program, args, output } = QUESTIONS[request.question]!;
        return this.#options.host.exec(program, [...args], output === undefined ? {} : { output });
      }
      case 'check-filter': {
        permit(fileRefusal({ path: FILTER_FILE, content: request.content }));
        return this.#options.host.exec('nft', ['-c', '-f', '-'], { input: request.content });
      }
      case 'key': {
        const path = keyPath(request.name);
        permit(fileRefusal({ path }));
        return this.#options.host.read(path);
      }
      case 'arm': {
        const { verb: _, ...arming } = request;
        const plan = await this.#plan(request.plan_id);
        const planned = plan.units.map(({ id }) => id);
        if (planned.join() !== request.units.join()) throw new Refused('these are not the units of the plan');
        return window.arm(arming);
      }
      case 'enforced':
        return window.enforced(request.plan_id);
      case 'extend':
        return window.extend(request.plan_id, request.timeout_seconds);
      case 'confirm':
        return window.confirm(request.plan_id, request.nonce, request.by);
      case 'end':
        return window.end(request.plan_id, request.by, request.cause);
      case 'clear':
        return window.clear(request.waiting ?? null, request.by);
      case 'forget':
        return this.#enforcement.forget(request.plan_id);
      default:
        return this.#ofUnit(request);
    }
  }

  async #ofUnit(request: UnitRequest): Promise<unknown> {
    // The stored way back counts, not the present database.
    if (request.verb === 'restore') return this.#enforcement.restore(await this.#planned(request));
    const order = await this.#order(request);
    if (request.verb !== 'keep' && request.verb !== 'probe') {
      const kept = await loadKept(keptFolder(this.#options.folder, request.plan_id, request.unit));
      if (kept === null) throw new Refused('the way back was not kept');
    }
    return this.#enforcement[request.verb](order);
  }

  async #plan(plan_id: string): Promise<Plan> {
    const plan = await asOwner(this.#options.data, (database) => findPlan(database, plan_id));
    if (!RUNNING.has(plan.state)) throw new Refused(`the plan is ${plan.state}, not submitted`);
    return plan;
  }

  async #planned({ plan_id, unit }: UnitRequest): Promise<Pick<UnitOrder, 'plan_id' | 'planned'>> {
    const plan = await this.#plan(plan_id);
    const planned = plan.units.find(({ id }) => id === unit);
    if (!planned) throw new Refused('the unit is not in the plan');
    return { plan_id, planned };
  }

  async #order(request: UnitRequest): Promise<UnitOrder> {
    const { host, data, settings, logger } = this.#options;
    const { unit } = request;
    const { plan_id, planned } = await this.#planned(request);
    // What was applied before is read, to be kept and compared, and removed where it is not rendered any more. Whoever
    // wrote down what that was must not choose what root looks at: a path is judged before anything is read there.
    const judged: Host = {
      ...host,
      read: async (path) => {
        permit(pathRefusal(unit, path));
        return host.read(path);
      },
    };
    const material = await asOwner(data, (store) =>
      // What gathering uses of the services.
      gather({ store, host: judged, logger, settings: { ...settings, data } } as unknown as Services, findUnit(unit)),
    );
    if (digestOf(material.files) !== planned.digest) {
      throw new Refused('the desired state renders to other files than those that were reviewed');
    }
    for (const file of material.files) permit(pathRefusal(unit, file.path) ?? fileRefusal(file));
    for (const { path, mode } of material.baseline?.files ?? [])
      permit(pathRefusal(unit, path) ?? fileRefusal({ path, mode }));
    return { plan_id, planned, material };
  }
}
