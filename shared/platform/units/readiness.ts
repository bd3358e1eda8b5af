// What a unit still needs before it serves, as facts in their order. Pages have the words, and the ways to each.
import type { Facts } from './facts.ts';
import type { AnySettings } from './settings.ts';

export interface Step {
  step: string;
  /** It is there, at least in the desired state. */
  saved: boolean;
  /** It is in force. Never told from what is saved alone, unless that takes effect at once. */
  done: boolean;
  /** What has to be saved first; null: nothing. */
  blockedBy: string | null;
}

export type There<S extends string> = Partial<Record<S, boolean>>;

/** What each unit says in its `readiness.ts`. The step `applied`, where there is one, is done while all that is saved is in force. */
export interface UnitReadiness<S extends string = string> {
  settings: AnySettings;
  /** Each step after those that it needs. */
  order: readonly (readonly [step: S, ...needs: S[]])[];
  /** Steps that are saved while a row answers this SQL; ?1 is now. */
  rows?: { readonly [step in S]?: string };
  /** Steps that one fact stands for: SQL that answers its key where the step is saved. It is in force where the fact is. */
  sample?: { readonly [step in S]?: string };
  /** Steps that the settings say. */
  set(settings: Record<string, unknown>): There<S>;
  /** What of the steps the facts in force have; a unit that no apply enforces has none. */
  inForce?(facts: Facts): There<S>;
  /** Steps that need no apply. */
  atOnce?: readonly S[];
}

/** `current`: all that is saved is in force. `inForce`: null while nothing of the unit was ever applied. */
export function stepsOf(
  { order, atOnce = [] }: Pick<UnitReadiness, 'order' | 'atOnce'>,
  saved: There<string>,
  inForce: There<string> | null,
  current: boolean,
): Step[] {
  const there = (step: string): boolean => saved[step] === true;
  return order.map(([step, ...needs]) => ({
    step,
    saved: step === 'applied' ? current : there(step),
    done: step === 'applied' ? current : there(step) && (atOnce.includes(step) || inForce?.[step] === true),
    blockedBy: needs.find((need) => !there(need)) ?? null,
  }));
}

/** On, and bound to an interface where the service has to be. */
export const listening = ({ enabled, listen_interfaces }: Record<string, unknown>): boolean =>
  enabled === true && (listen_interfaces as string[]).length > 0;

/** Of a service that is only saved yet: where it listens, and that it is on. */
export const listeningOnly = (settings: AnySettings): UnitReadiness<'listen' | 'enabled'> => ({
  settings,
  order: [['listen'], ['enabled', 'listen']],
  set: (saved) => ({
    listen: (saved.listen_interfaces as string[]).length > 0,
    enabled: saved.enabled === true,
  }),
});
