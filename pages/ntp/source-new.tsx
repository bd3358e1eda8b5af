// Adding a time source.
import { newItemPage } from '../units/item-pages.tsx';
import { SOURCE_PAGES } from './source-pages.tsx';

export const page = newItemPage(SOURCE_PAGES);
