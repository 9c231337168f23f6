'use strict';

/** Stands in for chDB: a session runs one statement at a time, and each query takes a long time. */
class Session {
  #last = Promise.resolve();

  queryAsync(sql) {
    const isQuestion = sql.includes('project_id');
    const answer = this.#last.then(
      () =>
        new Promise(resolve => {
          setTimeout(
            () => resolve({ text: () => '{"data":[[1]]}' }),
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
