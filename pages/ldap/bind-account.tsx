// One bind account: changing it.
import { itemPage } from '../units/item-pages.tsx';
import { ACCOUNT_PAGES } from './account-pages.tsx';

export const page = itemPage(ACCOUNT_PAGES);
