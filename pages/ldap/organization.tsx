// One organization: changing it.
import { itemPage } from '../units/item-pages.tsx';
import { ORGANIZATION_PAGES } from './organization-pages.tsx';

export const page = itemPage(ORGANIZATION_PAGES);
