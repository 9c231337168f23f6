import { createContext } from 'react';
import type { Entity } from '@backstage/catalog-model';

/** The entity that the page around is about; undefined elsewhere, and until it is loaded. */
export const PageEntity = createContext<Entity | undefined>(undefined);
