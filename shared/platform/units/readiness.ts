// What a unit still needs before it serves, as steps in their order. Pages have their words and links.
import type { Facts } from './facts.ts';
import type { AnySettings } from './settings.ts';

export interface Step {
  step: string;
  /** The step is done in the desired state. */
  saved: boolean;
  /** The step is in force. What is saved alone does not make it so, unless it takes effect at once. */
  done: boolean;
  /** The step that has to be saved first; null: none. */
  blockedBy: string | null;
}

export type There<S extends string> = Partial<Record<S, boolean>>;

/** What each unit declares in its `readiness.ts`. A step `applied` is done while nothing is pending. */
export interface UnitReadiness<S extends string = string> {
  settings: AnySettings;
  /** Each step with those that it needs, which come first. */
  order: readonly (readonly [step: S, ...needs: S[]])[];
  /** Steps that are saved while this SQL finds a row; ?1 is now. */
  rows?: { readonly [step in S]?: string };
  /**
   * Steps shown by one fact: SQL that finds the fact's key where the step is saved. The step is in force with the fact.
   */
  sample?: { readonly [step in S]?: string };
  /** Steps that the settings show. */
  set(settings: Record<string, unknown>): There<S>;
  /** Steps that the facts in force show; none for a unit that no apply enforces. */
  inForce?(facts: Facts): There<S>;
  /** Steps that need no apply. */
  atOnce?: readonly S[];
}

/** `current`: nothing is pending. `inForce`: null while the unit was never applied. */
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

/** Whether the service is on and has an interface, if it needs one. */
export const listening = ({ enabled, listen_interfaces }: Record<string, unknown>): boolean =>
  enabled === true && (listen_interfaces as string[]).length > 0;

/** For a service that is only saved so far: that it listens, and that it is on. */
export const listeningOnly = (settings: AnySettings): UnitReadiness<'listen' | 'enabled'> => ({
  settings,
  order: [['listen'], ['enabled', 'listen']],
  set: (saved) => ({
    listen: (saved.listen_interfaces as string[]).length > 0,
    enabled: saved.enabled === true,
  }),
});
