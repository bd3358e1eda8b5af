// The settings of the public pages. Their own operations are of another plane, whose tests are in test/handlers/public/.
import type { Given, Scenarios, Scene } from './scenario.ts';

const PATH = '/api/v1/public-pages/settings';

/** The other one of what is saved. */
const other = async ({ api }: Scene): Promise<Given> => ({ status: String(!(await api('GET', PATH)).body.status) });
const update = { given: other, audit: ['public_pages.settings.update'] };

export const PUBLIC_PAGES: Scenarios = {
  updatePublicPagesSettings: update,
  updatePublicPagesSettingsForm: {
    ...update,
    send: ({ status }) => ({ form: status === 'true' ? { status: 'true' } : {} }),
  },
};
