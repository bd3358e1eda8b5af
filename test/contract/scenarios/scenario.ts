// What a contract test knows of an operation: the smallest request that succeeds, and the audit events that it writes.
import { operations } from '../../../runtime/generated/operations.ts';
import { pages } from '../../../runtime/generated/pages.ts';
import type { Operation } from '../../../shared/kernel/operation/define-operation.ts';
import type { AnySpec } from '../../../shared/kernel/operation/operation.ts';
import type { Credentials, Heard, House, Send } from '../../setup/house.ts';

export interface Scene {
  house: House;
  admin: Credentials;
  /** A number that no other scenario of this house got. */
  next(): number;
  /** Sends as the admin, by token. @throws Error when the answer is not a success. */
  api(method: string, path: string, body?: unknown): Promise<Heard>;
}

export type Given = Record<string, string>;

export interface Scenario {
  /** Makes what the request needs; the facts that it answers fill the path's parameters and reach `send`. */
  given?(scene: Scene): Promise<Given>;
  /** Facts enough for a request that is refused before anything is looked up, where `given` takes long. */
  unseen?: Given;
  /** Body, form fields, or credentials of its own; the admin's token or session is added. */
  send?(given: Given): Send;
  /** Appended to the path: `?name=…`. */
  query?: string;
  /** Expected status; default: the first that is declared. */
  status?: number;
  /** Status of a dry run, where that answers more than the mutation. */
  dry?: number;
  /** Audit events that the request writes, exactly and in order. */
  audit?: string[];
  /** Settles what the scenario started. */
  after?(scene: Scene, given: Given): Promise<void>;
  /** Statements that a request may take, where that is another number than its kind's. */
  statements?: number;
}

export type Scenarios = Record<string, Scenario>;

/** Every operation and page, whatever its plane. */
export const EVERYTHING: readonly Operation[] = [...operations, ...(pages as readonly Operation[])];

/** `before`: a scene of the same house, whose numbers go on. */
export function newScene(house: House, admin: Credentials, before?: Scene): Scene {
  let last = 0;
  return {
    house,
    admin,
    next: before?.next ?? (() => ++last),
    async api(method, path, body) {
      const heard = await house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) });
      if (heard.status >= 300) throw new Error(`${method} ${path} answered ${heard.status}: ${heard.text}`);
      return heard;
    },
  };
}

/** The path with the parameters filled in; the ones that are not given become a name that nothing has. */
export function filled(path: string, given: Given = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(given[name] ?? 'nobody'));
}

/** Sends a scenario's request with what its plane asks for. */
export function play(scene: Scene, spec: AnySpec, scenario: Scenario, given: Given, more: Send = {}): Promise<Heard> {
  const credentials: Send =
    spec.access === 'public' ? {} : 'scope' in spec.access ? { token: scene.admin.token } : { session: scene.admin };
  const own = scenario.send?.(given);
  const send = { ...credentials, ...own, ...more, headers: { ...own?.headers, ...more.headers } };
  return scene.house.send(spec.method, `${filled(spec.path, given)}${scenario.query ?? ''}`, send);
}

/** A read without parameters needs nothing said about it. */
export function scenarioOf(all: Scenarios, { id, effect, path }: AnySpec): Scenario | undefined {
  return all[id] ?? (effect === 'read' && !path.includes('{') ? {} : undefined);
}
