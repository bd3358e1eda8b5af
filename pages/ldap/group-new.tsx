// Adding a directory group.
import { newItemPage } from '../units/item-pages.tsx';
import { GROUP_PAGES } from './group-pages.tsx';

export const page = newItemPage(GROUP_PAGES);
