// The button that tries a receiver; its page shows what came of it.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as testReceiver } from './test-receiver.ts';

export const operation = formOf(testReceiver, {
  path: `${pageRoute('alert-receiver')}/test`,
  page: pageRoute('alert-receiver'),
  done({ body }, _fields, { receiver_id }) {
    const { note } = body as { note: string };
    return { location: itemPath('alert-receiver', receiver_id!), flash: `The receiver took the test. ${note}`.trim() };
  },
});
