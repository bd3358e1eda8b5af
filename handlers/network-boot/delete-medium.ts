// Deletes an installer medium with its files.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { MutationContext, MutationSpec } from '../../shared/kernel/operation/operation.ts';
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { refuseApplied } from '../../shared/services/network-boot/esxi-media/applied.ts';
import { removeMedium } from '../../shared/services/network-boot/esxi-media/remove.ts';
import { bootMedia } from '../../shared/services/network-boot/media.ts';

const { spec } = deleteOperation(bootMedia, {
  id: 'deleteBootMedium',
  summary: 'Delete an installer medium',
  description: '',
});

const DESCRIPTION =
  'Saves desired state only, but for the files of the medium: they are removed at once, and no apply brings them back. Refused while a host names it, while the applied state still serves it or can’t be read, and while it is being unpacked.';

// biome-ignore lint/suspicious/noExplicitAny: the schemas are those of the declaration that is taken over.
const declared = spec as MutationSpec<any, any, any>;

type Context = MutationContext<Record<string, string>, unknown, unknown>;

export const operation = defineOperation({
  ...declared,
  description: DESCRIPTION,
  async prepare({ services, params }: Omit<Context, 'tx'>) {
    await refuseApplied(services.host, params[bootMedia.param]!);
  },
  async run(context: Context & { prepared: unknown }) {
    const { services, params, afterCommit } = context;
    const answer = await declared.run(context);
    afterCommit(() => {
      removeMedium(services.host, params[bootMedia.param]!).catch((error: Error) =>
        services.logger.error('files of a medium could not be removed', { failure: { message: error.message } }),
      );
    });
    return answer;
  },
});
