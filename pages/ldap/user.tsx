// One directory user: changing it.
import { itemPage } from '../units/item-pages.tsx';
import { USER_PAGES } from './user-pages.tsx';

export const page = itemPage(USER_PAGES);
