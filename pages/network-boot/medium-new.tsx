// Adds an installer medium.
import { newItemPage } from '../units/item-pages.tsx';
import { MEDIUM_PAGES } from './medium-pages.tsx';

export const page = newItemPage(MEDIUM_PAGES);
