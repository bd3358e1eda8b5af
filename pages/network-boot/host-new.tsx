// Adding a host that boots from the network.
import { newItemPage } from '../units/item-pages.tsx';
import { HOST_PAGES } from './host-pages.tsx';

export const page = newItemPage(HOST_PAGES);
