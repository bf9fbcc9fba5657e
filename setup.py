from setuptools import find_packages, setup

folders = ("envs", "agents", "play")  # installed as agezoo.envs, agezoo.agents, agezoo.play
packages = [f"agezoo.{name}" for name in find_packages() if name.split(".")[0] in folders]
packages.append("agezoo.configs")  # no code: the configurations, so that `agezoo train` has them anywhere
setup(packages=packages, package_dir={f"agezoo.{name}": name for name in (*folders, "configs")})
