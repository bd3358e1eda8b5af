// Reading datastores from CSV.

import { namedDatastores } from '../../shared/appliance/named-datastores.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(namedDatastores, [{ href: pagePath('storage'), label: 'Storage' }]);
