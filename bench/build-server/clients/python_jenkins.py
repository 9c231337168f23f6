"""Makes the calls of python-jenkins, and prints one line of JSON for each."""
import io
import json
import os
import re
import time
from contextlib import redirect_stdout
from importlib.metadata import version

import jenkins

URL = os.environ["JENKINS_URL"]
USER = os.environ["JENKINS_USER"]
TOKEN = os.environ["JENKINS_TOKEN"]
AGENT = os.environ["JENKINS_AGENT"]
server = jenkins.Jenkins(URL, username=USER, password=TOKEN, timeout=20)
count = 0


def check(condition, expected):
    if not condition:
        raise AssertionError("Expected " + expected)


def number_of(item):
    while True:
        executable = server.get_queue_item(item).get("executable")
        if executable:
            return executable["number"]
        time.sleep(0.05)


def ended(job, number):
    while server.get_build_info(job, number)["building"]:
        time.sleep(0.05)


def waiting():
    global count
    count += 1
    path = "job/parameters/buildWithParameters?delay=600&BRANCH=p%d" % count
    request = jenkins.requests.Request("POST", server._build_url(path))
    location = server.jenkins_request(request).headers["Location"]
    return int(location.split("/")[-2])


def stop_build():
    number = number_of(server.build_job("slow"))
    check(
        number in [one["number"] for one in server.get_running_builds()],
        "the build among those that run",
    )
    server.stop_build("slow", number)
    ended("slow", number)


def delete_build():
    number = number_of(server.build_job("hello"))
    ended("hello", number)
    server.delete_build("hello", number)
    try:
        server.get_build_info("hello", number)
    except jenkins.JenkinsException:
        return
    raise AssertionError("Expected no build")


def cancel_queue():
    item = waiting()
    server.cancel_queue(item)
    check(server.get_queue_item(item)["cancelled"], "cancelled")


def disable_job():
    server.disable_job("hello")
    check(not server.get_job_info("hello")["buildable"], "not buildable")


def enable_job():
    server.enable_job("hello")
    check(server.get_job_info("hello")["buildable"], "buildable")


def running():
    number = number_of(server.build_job("slow"))
    try:
        found = server.get_running_builds()
        check(
            ("slow", number) in [(one["name"], one["number"]) for one in found],
            "the running build",
        )
    finally:
        server.stop_build("slow", number)


def disable_node():
    server.disable_node(AGENT, "later")
    check(server.get_node_info(AGENT)["temporarilyOffline"], "offline")


def enable_node():
    server.enable_node(AGENT)
    check(not server.get_node_info(AGENT)["temporarilyOffline"], "online")


def env_vars():
    found = server.get_build_env_vars("parameters", PARAMETERS)
    check(found and found["envMap"]["BRANCH"] == "main", "BRANCH")


def assert_folder():
    check(not server.is_folder("hello"), "no folder")
    try:
        server.assert_folder("hello")
    except jenkins.JenkinsException:
        return
    raise AssertionError("Expected that hello is no folder")


PARAMETERS = number_of(server.build_job("parameters", {"BRANCH": "main"}))
ended("parameters", PARAMETERS)

CALLS = {
    "get_job_info": lambda: check("builds" in server.get_job_info("tested", depth=1), "builds"),
    "get_job_info fetch_all_builds": lambda: check(server.get_job_info("tested", fetch_all_builds=True)["builds"], "builds"),
    "get_job_info_regex": lambda: check(len(server.get_job_info_regex("^hello$")) == 1, "hello"),
    "get_job_name": lambda: check(server.get_job_name("hello") == "hello", "hello"),
    "debug_job_info": lambda: server.debug_job_info("hello"),
    "get_queue_item": lambda: check("task" in server.get_queue_item(waiting()), "task"),
    "get_build_info": lambda: check(server.get_build_info("tested", 1, depth=1)["result"] == "SUCCESS", "SUCCESS"),
    "get_build_env_vars": env_vars,
    "get_build_test_report": lambda: check(server.get_build_test_report("tested", 1)["passCount"] == 1, "a passed test"),
    "get_queue_info": lambda: check(waiting() in [one["id"] for one in server.get_queue_info()], "the item"),
    "cancel_queue": cancel_queue,
    "get_info": lambda: check("jobs" in server.get_info(), "jobs"),
    "get_whoami": lambda: check(server.get_whoami()["fullName"] == USER, "the user"),
    "get_version": lambda: check(re.match(r"\d+\.\d+", server.get_version()), "a version"),
    "get_plugins_info": lambda: check(isinstance(server.get_plugins_info(), list), "a list"),
    "get_plugin_info": lambda: check(server.get_plugin_info("git") is None, "no plugin"),
    "get_plugins": lambda: check(server.get_plugins() is not None, "plugins"),
    "get_jobs": lambda: check("hello" in [one["name"] for one in server.get_jobs()], "hello"),
    "get_jobs view_name": lambda: check("hello" in [one["name"] for one in server.get_jobs(view_name="all")], "hello"),
    "get_all_jobs": lambda: check("hello" in [one["fullname"] for one in server.get_all_jobs()], "hello"),
    "disable_job": disable_job,
    "enable_job": enable_job,
    "job_exists": lambda: check(server.job_exists("hello") and not server.job_exists("none"), "hello only"),
    "jobs_count": lambda: check(server.jobs_count() == 4, "4 jobs"),
    "assert_job_exists": lambda: server.assert_job_exists("hello"),
    "get_job_config": lambda: check("<project" in server.get_job_config("hello"), "XML"),
    "build_job_url": lambda: check(server.build_job_url("hello").endswith("/build"), "an address"),
    "build_job": lambda: check(server.build_job("hello") > 0, "an id"),
    "build_job parameters": lambda: check(server.build_job("parameters", {"BRANCH": "x"}) > 0, "an id"),
    "stop_build": stop_build,
    "delete_build": delete_build,
    "get_running_builds": running,
    "get_nodes": lambda: check(server.get_nodes()[0]["offline"] is False, "a node"),
    "get_node_info": lambda: check("executors" in server.get_node_info("built-in"), "executors"),
    "node_exists": lambda: check(server.node_exists("built-in") and not server.node_exists("none"), "built-in only"),
    "assert_node_exists": lambda: server.assert_node_exists("built-in"),
    "disable_node": disable_node,
    "enable_node": enable_node,
    "get_node_config": lambda: check("<" in server.get_node_config("built-in"), "XML"),
    "get_build_console_output": lambda: check("Finished" in server.get_build_console_output("tested", 1), "the log"),
    "get_view_name": lambda: check(server.get_view_name("all") == "all", "all"),
    "assert_view_exists": lambda: server.assert_view_exists("all"),
    "view_exists": lambda: check(server.view_exists("all") and not server.view_exists("none"), "all only"),
    "get_views": lambda: check(server.get_views()[0]["name"] == "all", "all"),
    "get_view_config": lambda: check("<" in server.get_view_config("all"), "XML"),
    "is_folder": lambda: check(not server.is_folder("hello"), "no folder"),
    "assert_folder": assert_folder,
    "jenkins_open": lambda: check(server.jenkins_open(jenkins.requests.Request("GET", server._build_url("api/json"))), "a body"),
    "jenkins_request": lambda: check(server.jenkins_request(jenkins.requests.Request("GET", server._build_url("api/json"))).ok, "200"),
    "maybe_add_crumb": lambda: server.maybe_add_crumb(jenkins.requests.Request("POST", URL, headers={})),
    "wait_for_normal_op": lambda: check(server.wait_for_normal_op(30), "normal"),
}
print(json.dumps({
    "version": version("python-jenkins"),
    "names": [
        name for name in dir(server)
        if not name.startswith("_") and callable(getattr(server, name))
    ],
}))
for name, call in CALLS.items():
    try:
        with redirect_stdout(io.StringIO()):
            call()
        fault = None
    except Exception as error:
        fault = (str(error) or type(error).__name__).split("\n")[0][:160]
    print(json.dumps({"call": name, "fault": fault}))
