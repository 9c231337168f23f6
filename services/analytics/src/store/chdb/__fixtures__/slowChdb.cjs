'use strict';

/** Stands in for chDB: a session runs one statement at a time, and each query takes a long time. */
class Session {
  #last = Promise.resolve();

  queryAsync(sql) {
    const isQuestion = sql.includes('project_id');
    // It has no tables yet.
    const data = sql.includes('system.tables') ? [] : [[1]];
    const answer = this.#last.then(
      () =>
        new Promise(resolve => {
          setTimeout(
            () => resolve({ text: () => JSON.stringify({ data }) }),
            isQuestion && sql.includes('SELECT') ? 2_600 : 0,
          );
        }),
    );
    this.#last = answer;
    return answer;
  }

  async insert() {}

  close() {}
}

module.exports = { Session };
