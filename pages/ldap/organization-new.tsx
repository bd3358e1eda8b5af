// Adding an organization.
import { newItemPage } from '../units/item-pages.tsx';
import { ORGANIZATION_PAGES } from './organization-pages.tsx';

export const page = newItemPage(ORGANIZATION_PAGES);
