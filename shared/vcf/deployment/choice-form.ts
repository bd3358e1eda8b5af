// The form of a wizard's step that stores a choice in the draft, and changes nothing else.
import type * as v from 'valibot';
import type { Operation } from '../../kernel/operation/define-operation.ts';
import type { FormFields } from '../../kernel/operation/operation.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { decodeTexts, onwards, taskForm } from '../remote/wizard-operations.ts';
import { keep, type Standing, standing } from './choose.ts';
import { DEPLOY_TASK, type DeploymentDraft } from './wizard-task.ts';

interface Ticket {
  trust: string;
  draft: string;
}

interface Choice<B extends v.GenericSchema<unknown, Ticket>> {
  /** Last part of the path, as `placement`. */
  step: string;
  summary: string;
  description: string;
  body: B;
  bodyLimit?: number;
  /** Its text fields, and the others. */
  texts: { entries: object };
  others(fields: FormFields): Record<string, unknown>;
  next: string;
  /** The draft with what was chosen. @throws Problem 409, 422 */
  choose(asked: {
    services: Services;
    at: Standing;
    body: v.InferOutput<B>;
  }): DeploymentDraft | Promise<DeploymentDraft>;
}

export function choiceForm<B extends v.GenericSchema<unknown, Ticket>>(choice: Choice<B>): Operation {
  const { step, summary, description, body, bodyLimit, texts, others, next, choose } = choice;
  return taskForm(
    DEPLOY_TASK,
    {
      id: `sddcManager${step.charAt(0).toUpperCase()}${step.slice(1)}Form`,
      at: step,
      effect: 'immediate',
      summary,
      description,
      body,
      ...(bodyLimit !== undefined && { bodyLimit }),
      audit: 'none',
      guarded: false,
      problems: ['state_conflict'],
      async prepare({ services, actor, body }) {
        const at = await standing(services, actor, body);
        keep(services, at, await choose({ services, at, body }));
      },
      run: async () => ({ body: {} }),
    },
    {
      decode: (fields) => ({ ...decodeTexts(texts)(fields), ...others(fields) }),
      done: (_answer, fields) => ({ location: onwards(DEPLOY_TASK, fields, { step: next }) }),
    },
  );
}
