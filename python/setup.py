"""What pyproject.toml cannot say: the version, and that a wheel with libgridcast in it is for one architecture.

scripts/wheel puts the library beside the modules; Debian's package has none, and is for all.
"""
import glob
import re

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

with open("gridcast/_layout.py", encoding="utf-8") as file:
    NUMBER = int(re.search(r"^VERSION = (\d+)$", file.read(), re.MULTILINE).group(1))


class Package(Distribution):
    def has_ext_modules(self):
        return bool(glob.glob("gridcast/libgridcast.so.*"))


class Wheel(bdist_wheel):
    def get_tag(self):
        """No part of the package depends on the version of Python: it calls the library by ctypes."""
        return "py3", "none", super().get_tag()[2]


setup(version="%d.%d.%d" % (NUMBER // 10000, NUMBER // 100 % 100, NUMBER % 100), distclass=Package,
      cmdclass={"bdist_wheel": Wheel})
