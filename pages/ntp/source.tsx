// One time source: changing it.
import { itemPage } from '../units/item-pages.tsx';
import { SOURCE_PAGES } from './source-pages.tsx';

export const page = itemPage(SOURCE_PAGES);
