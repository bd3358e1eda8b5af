// The button that takes an alert on.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as acknowledgeAlert } from './acknowledge-alert.ts';

export const operation = formOf(acknowledgeAlert, {
  path: `${pageRoute('alert')}/acknowledge`,
  page: pageRoute('alerts'),
  done: () => ({
    location: pagePath('alerts'),
    flash: 'The alert is acknowledged. It closes when its condition ends.',
  }),
});
