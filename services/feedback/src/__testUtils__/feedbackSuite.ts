import type { Database, Service } from '@slipway/service-kit';
import {
  type FakePortal,
  openTestDatabase,
} from '@slipway/service-kit/testing';
import { clientsOf, startFeedback, startPortal } from './startFeedback.ts';
import { feedbackService } from '../service.ts';

/** The time at which the tests of a suite start. */
export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** The format of timestamps in responses. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

interface Running {
  portal: FakePortal;
  service: Service;
  clients: Awaited<ReturnType<typeof clientsOf>>;
  database: Database;
  dispose: () => Promise<void>;
}

/**
 * Provides a service and a portal for the tests of a block; before each test, its records are
 * deleted and its clock is reset.
 */
export function feedbackSuite(databaseClient: Database['client']) {
  const clock = { now: NOW };
  let running: Running;

  beforeAll(async () => {
    const portal = await startPortal();
    const { database, dispose } = await openTestDatabase(
      databaseClient,
      feedbackService,
    );
    const service = await startFeedback(portal, {
      database,
      now: () => clock.now,
    });
    const clients = await clientsOf(service, portal);
    running = { portal, service, clients, database, dispose };
  });

  beforeEach(async () => {
    clock.now = NOW;
    for (const table of [
      'feedback',
      'feedback_duplicate_votes',
      'feedback_history',
      'feedback_replies',
      'feedback_votes',
      'screenshots',
    ]) {
      await running.database.knex(table).delete();
    }
  });

  afterAll(async () => {
    await running.service.stop();
    await running.dispose();
    await running.portal.stop();
  });

  return {
    clock,
    get portal() {
      return running.portal;
    },
    get service() {
      return running.service;
    },
    get database() {
      return running.database;
    },
    get clients() {
      return running.clients;
    },
  };
}

/** Provides a portal for the tests of a file. */
export function usePortal(): () => FakePortal {
  let portal: FakePortal;
  beforeAll(async () => {
    portal = await startPortal();
  });
  afterAll(() => portal.stop());
  return () => portal;
}

/** Matches a response in the error format of the contract. */
export function errorAnswer(status: number, code: string, details?: object) {
  return {
    status,
    body: {
      error: {
        code,
        message: expect.any(String),
        ...(details && { details }),
      },
      status,
      timestamp: expect.stringMatching(TIMESTAMP),
    },
  };
}
