// One installer medium.
import { itemPage } from '../units/item-pages.tsx';
import { MEDIUM_PAGES } from './medium-pages.tsx';

export const page = itemPage(MEDIUM_PAGES);
