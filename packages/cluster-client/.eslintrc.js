module.exports = require('../../eslint-factory')(__dirname);
